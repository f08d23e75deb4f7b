import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { agreementCalls, agreementOf, debtor } from './testing/agreement-calls.ts'
import type { AgreementCalls } from './testing/agreement-calls.ts'

let service: TestService
let calls: AgreementCalls
beforeAll(async () => {
  service = await createTestService()
  calls = await agreementCalls(service)
})
afterAll(() => service.close())

const cancel = { action: 'cancel', reason_code: 'contract_ended', reason: 'Moved away' }
const suspend = { action: 'suspend', reason_code: 'customer_request' }
const release = { action: 'release' }

const historyOf = async (id: string) =>
  agreementOf(await calls.get(id)).history?.map(({ type, by, version }) => [type, by, version])

describe("the debtor's answer", () => {
  it('makes it active', async () => {
    const { _id: id } = await calls.createActive()
    expect(await historyOf(id)).toEqual([
      ['created', 'creditor', 0],
      ['accepted', 'debtor', 0],
    ])
  })

  it('cancels it when it is declined', async () => {
    const { _id: id } = agreementOf(await calls.create())
    await calls.answerAsDebtor(id, 'decline')
    expect(agreementOf(await calls.get(id)).status).toBe('cancelled')
    expect((await historyOf(id))?.at(-1)).toEqual(['declined', 'debtor', 0])
  })

  it('comes by itself from a debtor that the sandbox steers', async () => {
    const { _id: id } = agreementOf(await calls.create({ debtor: debtor('approve@sandbox.example') }))
    await expect
      .poll(
        async () => {
          await calls.exchange()
          return agreementOf(await calls.get(id)).status
        },
        { timeout: 5000 },
      )
      .toBe('active')
  })
})

describe("the merchant's action", () => {
  it('suspends, releases and cancels, with its reason', async () => {
    const { _id: id } = await calls.createActive()
    expect(agreementOf(await calls.changeStatus(id, suspend))).toMatchObject({
      status: 'suspended',
      suspended_by: 'creditor',
      reason_code: 'customer_request',
    })
    expect(agreementOf(await calls.changeStatus(id, release))).toMatchObject({
      status: 'active',
      suspended_by: null,
      reason_code: null,
    })
    expect(agreementOf(await calls.changeStatus(id, cancel))).toMatchObject({
      status: 'cancelled',
      reason_code: 'contract_ended',
      reason: 'Moved away',
    })
    expect((await historyOf(id))?.map(([type]) => type)).toEqual([
      'created',
      'accepted',
      'suspended',
      'released',
      'cancelled',
    ])
  })

  it('reaches the debtor in its bank', async () => {
    const { _id: id } = await calls.createActive()
    await calls.changeStatus(id, suspend)
    await calls.exchange()
    const { body } = await service.call({ url: `/sandbox/bank/agreements/${id}` })
    expect(body.resource.data).toMatchObject({ status: 'suspended' })
  })

  it('recalls an agreement that is not answered', async () => {
    const { _id: id } = agreementOf(await calls.create())
    expect(agreementOf(await calls.changeStatus(id, cancel)).status).toBe('cancelled')
  })

  it.each([
    ['created', suspend],
    ['created', release],
    ['active', release],
    ['suspended', suspend],
    ['cancelled', suspend],
    ['cancelled', release],
    ['cancelled', cancel],
  ])('on one that is %s refuses $action with 422', async (state, action) => {
    const { _id: id } = state === 'created' ? agreementOf(await calls.create()) : await calls.createActive()
    if (state === 'suspended') await calls.changeStatus(id, suspend)
    if (state === 'cancelled') await calls.changeStatus(id, cancel)
    const { status, body } = await calls.changeStatus(id, action)
    expect([status, body.error?.code]).toEqual([422, 'unfulfilled_condition'])
  })

  it('does not release what the debtor has suspended; the debtor does', async () => {
    const { _id: id } = await calls.createActive()
    await calls.answerAsDebtor(id, 'suspend')
    expect(agreementOf(await calls.get(id))).toMatchObject({ status: 'suspended', suspended_by: 'debtor' })
    expect((await calls.changeStatus(id, release)).status).toBe(422)
    await calls.answerAsDebtor(id, 'release')
    expect(agreementOf(await calls.get(id)).status).toBe('active')
  })

  it.each([{ action: 'suspend' }, { action: 'cancel' }, { action: 'pause', reason_code: 'dispute' }, {}])(
    'is refused with 400 as %j',
    async (payload) => {
      const { _id: id } = agreementOf(await calls.create())
      expect((await calls.changeStatus(id, payload)).status).toBe(400)
    },
  )
})

describe('If-Match', () => {
  it.each([
    ['"0"', 200],
    ['*', 200],
    ['"7", "0"', 200],
    ['"7"', 412],
    ['W/"0"', 412],
    ['0', 412],
  ])('%s is answered with %i', async (tag, expected) => {
    const { _id: id } = agreementOf(await calls.create())
    expect((await calls.amend(id, { reference: 'x' }, { 'if-match': tag })).status).toBe(expected)
  })

  it('names the agreement as it is, whichever process changed it', async () => {
    const { _id: id } = agreementOf(await calls.create())
    await calls.amend(id, { reference: 'x' })
    const { status, body } = await calls.changeStatus(id, cancel, { 'if-match': '"0"' })
    expect([status, body.error?.code]).toEqual([412, 'precondition_failed'])
    expect((await calls.get(id)).headers.etag).toBe('"1"')
  })
})

describe('many requests at once', () => {
  it('are carried out one after the other, each on what the one before it has made', async () => {
    const { _id: id } = await calls.createActive()
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((reference) => calls.amend(id, { reference })),
    )
    expect(answers.map((one) => agreementOf(one).version).sort()).toEqual([1, 2, 3, 4, 5])
  })

  it('suspend it once', async () => {
    const { _id: id } = await calls.createActive()
    const answers = await Promise.all(Array.from({ length: 5 }, () => calls.changeStatus(id, suspend)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422])
  })
})

it('many changes at once are all made, one after the other', async () => {
  const { _id: id } = await calls.createActive()
  const amendments = Array.from({ length: 64 }, (_, number) =>
    calls.amend(id, { reference: `reference-${String(number)}` }),
  )
  const statuses = (await Promise.all(amendments)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(agreementOf(await calls.get(id)).version).toBe(64)
})
