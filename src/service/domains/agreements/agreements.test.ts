import { createHash, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { agreementAfterEvent } from './agreements.ts'
import {
  agreementCalls,
  agreementOf,
  countAgreements,
  debtor,
  debtorOfAccount,
  request,
} from './testing/agreement-calls.ts'
import type { AgreementCalls } from './testing/agreement-calls.ts'
import { createNetworkDouble } from './testing/network-double.ts'
import { createNetworkService } from './testing/network-service.ts'
import { testDeps } from './testing/test-deps.ts'

let service: TestService
let calls: AgreementCalls
beforeAll(async () => {
  service = await createTestService()
  calls = await agreementCalls(service)
})
afterAll(() => service.close())

const count = () => countAgreements(service)

describe('a new agreement', () => {
  it('is created, in version 0, with an ETag, and accounts masked', async () => {
    const { status, headers, body } = await calls.create({ reference: 'a', metadata: { plan: 'gold' } })
    expect([status, headers.etag, body.resource.type]).toEqual([201, '"0"', 'agreement'])
    expect(agreementOf({ status, headers, body })).toMatchObject({
      status: 'created',
      version: 0,
      end_date: null,
      debtor: { name: 'Grace Hopper', pay_id: { type: 'EMAIL', value: 'g••••@example.com' } },
      creditor: { account: { bsb: '802985', account_number: '••••••789' } },
      payment_terms: { amount: 10, maximum_amount: null },
      reference: 'a',
      metadata: { plan: 'gold' },
      pending_amendment: null,
      next_collection_date: null,
    })
  })

  it('shows its history when it is read by its id', async () => {
    const { _id: id } = agreementOf(await calls.create())
    const { history } = agreementOf(await calls.get(id))
    expect(history).toMatchObject([{ type: 'created', status: 'created', version: 0, by: 'creditor' }])
  })

  it('is made once under an Idempotency-Key, and answered with the same ETag', async () => {
    const authorization = `Bearer ${await service.accessToken()}`
    const headers = { authorization, 'idempotency-key': randomUUID() }
    const ask = () => service.call({ method: 'POST', url: '/agreements', headers, payload: request })
    const first = await ask()
    const second = await ask()
    expect(second.body).toEqual(first.body)
    expect([second.headers.etag, second.headers['idempotent-replayed']]).toEqual(['"0"', 'true'])
  })

  it('leaves no hash to try out its account numbers against', async () => {
    const authorization = `Bearer ${await service.accessToken()}`
    const headers = { authorization, 'idempotency-key': randomUUID() }
    const { status } = await service.call({ method: 'POST', url: '/agreements', headers, payload: request })
    expect(status).toBe(201)
    const kept = testStatement<{ request_hash: string }>(
      't_kept_request_hashes',
      'SELECT request_hash FROM idempotent_requests',
    )
    const hashes = (await service.database.run(kept, [])).map((row) => row.request_hash)
    expect(hashes.length).toBeGreaterThan(0)
    const content = JSON.stringify(['/agreements', request])
    expect(hashes).not.toContain(createHash('sha256').update(content).digest('base64url'))
  })

  it('may come again under its key after the network was out of reach', async () => {
    const authorization = `Bearer ${await service.accessToken()}`
    const headers = { authorization, 'idempotency-key': randomUUID() }
    const payload = { ...request, debtor: debtor('unreachable@sandbox.example') }
    const ask = () => service.call({ method: 'POST', url: '/agreements', headers, payload })
    for (const { status, body } of [await ask(), await ask()])
      expect([status, body.error?.code]).toEqual([503, 'network_unavailable'])
  })
})

describe('validating', () => {
  it.each(["o'brien@example.com", 'grace+bills@mail.example.co.uk'])(
    'takes %s: people have such addresses',
    async (value) => {
      const asked = { ...debtor(), pay_id: { type: 'EMAIL', value } }
      expect((await calls.create({ debtor: asked }, '/agreements/validate')).status).toBe(200)
    },
  )

  it('answers what would be taken, and keeps nothing', async () => {
    const before = await count()
    const { status, body } = await calls.create(
      { debtor: debtorOfAccount('100000001') },
      '/agreements/validate',
    )
    expect([status, body.resource]).toMatchObject([
      200,
      { type: 'agreement_validation', data: { valid: true, resolved_name: null } },
    ])
    expect(await count()).toBe(before)
  })
})

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
  it('each decide on what the ones before have made', async () => {
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

const readEvents = testStatement<{ id: string; type: string; subject: string; actor: string }>(
  't_agreement_events',
  "SELECT id, type, subject, actor FROM event_outbox WHERE type LIKE 'agreement.%' ORDER BY created_at",
)

it('an event of an agreement shows it as it was right after the event', async () => {
  const database = await createMigratedDatabase()
  const service = await createTestService({ database })
  const calls = await agreementCalls(service)
  const { _id: id } = await calls.createActive()
  await calls.amend(id, { description: 'Acme Gas' })
  await calls.changeStatus(id, { action: 'cancel', reason_code: 'dispute' })
  const events = await database.run(readEvents, [])
  expect(events.map(({ type, actor }) => [type, actor])).toEqual([
    ['agreement.created', 'merchant'],
    ['agreement.accepted', 'debtor'],
    ['agreement.amended', 'merchant'],
    ['agreement.cancelled', 'merchant'],
  ])
  const deps = testDeps({ database, network: createNetworkDouble().network }, Date.now)
  const asOfEvent = (event: { id: string; subject: string }) => agreementAfterEvent(deps, event)
  const shown = await Promise.all(events.map(asOfEvent))
  expect(shown.map(({ _id, status, version, description }) => [_id, status, version, description])).toEqual([
    [id, 'created', 0, 'Acme Power'],
    [id, 'active', 0, 'Acme Power'],
    [id, 'active', 1, 'Acme Gas'],
    [id, 'cancelled', 1, 'Acme Gas'],
  ])
  await expect(asOfEvent({ id: 'other', subject: id })).rejects.toThrow('of no agreement')
  await service.close()
  await database.close()
})

const Events = v.array(
  v.object({ type: v.string(), data: v.looseObject({ _id: v.string(), updated_at: v.string() }) }),
)

it('the later of two events has the later updated_at, also when a process’s clock is behind', async () => {
  const now = Date.now()
  const bed = await createNetworkService(() => now)
  bed.double.payWith({ kind: 'settled', reference: 'n' })
  await bed.goForward(1000)
  const id = await bed.makeActive()
  await bed.calls.changeStatus(id, { action: 'suspend', reason_code: 'dispute' })
  await bed.service.runJob('send instructions')
  await bed.goForward(-10)
  await bed.calls.changeStatus(id, { action: 'release' })
  await bed.goForward(10)
  await bed.service.runJob('send instructions')
  await bed.calls.pay(id, { amount: '10.00', reference: 'r' })
  await bed.service.runJob('send payments')
  await bed.service.runJob('seal events')
  const { body } = await bed.service.call({
    url: '/v1/events?limit=100',
    headers: { 'x-user-secret-key': bed.service.merchant.secretKey },
  })
  const events = v.parse(Events, body.resource.data).reverse()
  expect(events.map(({ type }) => type)).toEqual([
    'agreement.created',
    'agreement.accepted',
    'agreement.suspended',
    'agreement.released',
    'payment.received',
    'payment.processing',
    'payment.settled',
  ])
  for (const kind of ['agreement', 'payment']) {
    const times = events.filter(({ type }) => type.startsWith(kind)).map(({ data }) => data.updated_at)
    expect([kind, times]).toEqual([kind, [...new Set(times)].sort()])
  }
  await bed.close()
})
