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
const newTerms = { payment_terms: { amount_type: 'fixed', amount: '12.50' } }

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

describe('amending', () => {
  it('takes effect at once for what the debtor is not asked for', async () => {
    const { _id: id } = await calls.createActive()
    const { headers, ...answer } = await calls.amend(id, { description: 'Acme Gas', metadata: { a: 'b' } })
    expect(agreementOf({ headers, ...answer })).toMatchObject({
      version: 1,
      description: 'Acme Gas',
      metadata: { a: 'b' },
      pending_amendment: null,
    })
    expect(headers.etag).toBe('"2"')
    expect((await historyOf(id))?.at(-1)).toEqual(['amended', 'creditor', 1])
  })

  it('asks the debtor for terms, one amendment at a time', async () => {
    const { _id: id } = await calls.createActive()
    expect(agreementOf(await calls.amend(id, newTerms))).toMatchObject({
      version: 0,
      payment_terms: { amount: 10 },
      pending_amendment: { payment_terms: { amount: 12.5 } },
    })
    const { status, body } = await calls.amend(id, newTerms)
    expect([status, body.error?.code]).toEqual([409, 'amendment_pending'])
    await calls.answerAsDebtor(id, 'accept_amendment')
    expect(agreementOf(await calls.get(id))).toMatchObject({
      version: 1,
      payment_terms: { amount: 12.5 },
      pending_amendment: null,
    })
    expect((await historyOf(id))?.slice(-2)).toEqual([
      ['amendment_requested', 'creditor', 0],
      ['amended', 'debtor', 1],
    ])
  })

  it('leaves the terms as they are when the debtor declines', async () => {
    const { _id: id } = await calls.createActive()
    await calls.amend(id, newTerms)
    await calls.answerAsDebtor(id, 'decline_amendment')
    expect(agreementOf(await calls.get(id))).toMatchObject({
      version: 0,
      payment_terms: { amount: 10 },
      pending_amendment: null,
    })
    expect((await historyOf(id))?.at(-1)).toEqual(['amendment_declined', 'debtor', 0])
  })

  it('is dropped when the agreement ends', async () => {
    const { _id: id } = await calls.createActive()
    await calls.amend(id, newTerms)
    expect(agreementOf(await calls.changeStatus(id, cancel)).pending_amendment).toBeNull()
  })

  it.each<[string, object, number, string]>([
    ['nothing', {}, 400, 'validation_error'],
    ['both kinds', { ...newTerms, reference: 'x' }, 400, 'validation_error'],
    ['a field that can not change', { purpose: 'loan' }, 400, 'validation_error'],
    [
      'an answer by a time for nothing',
      { reference: 'x', response_required_by: new Date() },
      400,
      'validation_error',
    ],
    [
      'a frequency for adhoc',
      { payment_terms: { ...newTerms.payment_terms, frequency: 'daily' } },
      400,
      'validation_error',
    ],
    ['an end that is past', { end_date: '2020-01-01' }, 422, 'outside_terms'],
    [
      'an answer in more than 5 days',
      { ...newTerms, response_required_by: '2999-01-01T00:00:00.000Z' },
      422,
      'outside_terms',
    ],
  ])('refuses %s', async (_, payload, expected, code) => {
    const { _id: id } = await calls.createActive()
    const { status, body } = await calls.amend(id, payload)
    expect([status, body.error?.code]).toEqual([expected, code])
  })

  it('is refused once the agreement has ended, and for terms before it is active', async () => {
    const { _id: id } = agreementOf(await calls.create())
    expect((await calls.amend(id, newTerms)).body.error?.code).toBe('unfulfilled_condition')
    await calls.changeStatus(id, cancel)
    expect((await calls.amend(id, { reference: 'x' })).body.error?.code).toBe('unfulfilled_condition')
  })
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
