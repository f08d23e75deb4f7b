import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EventResource } from '../../../contract/api/event-resource.ts'
import { TEST_EVENT, WebhookEventType } from '../../../contract/api/webhook.ts'
import { agreementCalls } from '../agreements/testing/agreement-calls.ts'
import { chargeCalls } from '../../testing/charge-calls.ts'
import { checkoutCalls } from '../../testing/checkout-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../../testing/webhook-receiver.ts'
import type { WebhookReceiver } from '../../testing/webhook-receiver.ts'
import { writeTestEvent } from '../../testing/write-test-event.ts'
import { contentOf } from './events.ts'
import type { ResourceAsOf, ResourcesAsOf } from './events.ts'

let service: TestService
let receiver: WebhookReceiver
let held: string
/** Events of every kind, and a webhook that gets them all. */
beforeAll(async () => {
  service = await createTestService()
  receiver = await createWebhookReceiver()
  await makeWebhook(service, { url: receiver.url })
  const charges = chargeCalls(service)
  const checkouts = checkoutCalls(service)
  const agreements = await agreementCalls(service)
  held = (await service.authorise())._id
  await charges.capture(held, { amount: '4.00' })
  await charges.refund(held, { amount: '1.00' })
  await checkouts.cancel((await checkouts.make())._id)
  const { _id } = await agreements.createActive()
  await agreements.pay(_id, { amount: '10.00', reference: 'r' })
  await writeTestEvent(service, { id: '5'.repeat(24), type: 'key.made', subject: 'k' })
  await sendWebhooks(service)
})
afterAll(async () => {
  await receiver.close()
  await service.close()
})

const ask = (path: string, key = service.merchant.secretKey) =>
  service.call({ url: `/v1/events${path}`, headers: { 'x-user-secret-key': key } })
async function list(query = '', key?: string) {
  const { status, body } = await ask(query, key)
  expect(status).toBe(200)
  return {
    events: v.parse(v.array(EventResource), body.resource.data),
    next: body.resource.next ?? null,
  }
}
const eventsOfMerchant = testStatement<{ id: string }>(
  't_told_events',
  "SELECT id FROM events WHERE merchant_id = $1 AND type ~ '^(charge|checkout|agreement|payment)[.]' ORDER BY created_at DESC, id DESC",
)

it('the later of two events of a charge shows more transactions, moved money or not', async () => {
  const merchant = await service.makeMerchant()
  const { _id } = await service.authorise({ amount: '20000.00' }, merchant)
  const secret = { 'x-user-secret-key': merchant.secretKey }
  const post = (action: string, amount: string) =>
    service.call({
      method: 'POST',
      url: `/v1/charges/${_id}/${action}`,
      headers: secret,
      payload: { amount },
    })
  await post('capture', '9000.51')
  await post('capture', '9500.00')
  await post('refunds', '9000.51')
  await post('refunds', '1.00')
  await service.runJob('seal events')
  const { events } = await list('?limit=100', merchant.secretKey)
  const Charge = v.looseObject({ __v: v.number(), transactions: v.array(v.unknown()) })
  const shown = events.reverse().map(({ type, data }) => {
    const { __v, transactions } = v.parse(Charge, data)
    return [type, transactions.length, __v]
  })
  expect(shown).toEqual([
    ['charge.authorised', 1, 0],
    ['charge.capture_failed', 2, 0],
    ['charge.captured', 3, 1],
    ['charge.refund_failed', 4, 1],
    ['charge.refunded', 5, 2],
  ])
})

describe('the list of events', () => {
  it('holds what webhooks are sent, newest first, and nothing else of the audit log', async () => {
    const { events, next } = await list('?limit=100')
    const sent = receiver.received.map(({ headers, body }) => ({
      _id: headers['webhook-id'],
      message: v.parse(v.unknown(), JSON.parse(body)),
    }))
    const listed = events.map(({ _id, ...message }) => ({ _id, message }))
    expect(new Set(listed.map(({ message }) => message.type.split('.')[0]))).toEqual(
      new Set(['charge', 'checkout', 'agreement', 'payment']),
    )
    expect(listed).toHaveLength(sent.length)
    expect(listed).toEqual(expect.arrayContaining(sent))
    const rows = await service.database.run(eventsOfMerchant, [service.merchant.merchant.id])
    expect(events.map(({ _id }) => _id)).toEqual(rows.map(({ id }) => id))
    expect(next).toBeNull()
  })

  it('is paged, each event once', async () => {
    const all = (await list('?limit=100')).events
    const found: EventResource[] = []
    for (let cursor: unknown = ''; cursor !== null;) {
      const page = await list(
        `?limit=2${typeof cursor === 'string' && cursor !== '' ? `&cursor=${cursor}` : ''}`,
      )
      found.push(...page.events)
      cursor = page.next
    }
    expect(found).toEqual(all)
  })

  it('is narrowed by type and time', async () => {
    const { events } = await list('?type=charge.captured')
    expect(events).toMatchObject([{ type: 'charge.captured', data: { _id: held, status: 'complete' } }])
    const at = events[0]?.timestamp ?? ''
    const from = (await list(`?limit=100&created_at.from=${at}`)).events
    const before = (await list(`?limit=100&created_at.to=${at}`)).events
    expect(from.map(({ type }) => type)).toContain('charge.captured')
    expect(before.map(({ type }) => type)).toEqual(['charge.authorised'])
    expect(from.length + before.length).toBe((await list('?limit=100')).events.length)
  })

  it.each([
    ['?type=charge.capture', 'type'],
    ['?type=key.made', 'type'],
    ['?type=test.ping', 'type'],
    ['?limit=101', 'limit'],
    ['?cursor=1', 'cursor'],
    ['?created_at.from=yesterday', 'created_at.from'],
    ['?skip=1', 'skip'],
    ['?status=waiting', 'status'],
  ])('refuses %s', async (query, path) => {
    const { status, body } = await ask(query)
    expect([status, body.error?.details?.map((one) => one.path)]).toEqual([400, [path]])
  })

  it('is each merchant’s own', async () => {
    const { secretKey } = await service.makeMerchant()
    expect(await list('', secretKey)).toEqual({ events: [], next: null })
  })

  it('takes a secret key alone', async () => {
    expect(await ask('', service.merchant.publicKey)).toMatchObject({ status: 401 })
  })
})

describe('an event', () => {
  it('is read by its id, as a webhook is sent it', async () => {
    for (const { headers, body } of receiver.received) {
      const { _id, ...message } = v.parse(
        EventResource,
        (await ask(`/${headers['webhook-id']}`)).body.resource.data,
      )
      expect(_id).toBe(headers['webhook-id'])
      expect(JSON.stringify(message)).toBe(body)
    }
  })

  it.each([
    ['that is not there', 'f'.repeat(24)],
    ['that stands in the audit log alone', '5'.repeat(24)],
  ])('%s is not found', async (_name, id) => {
    expect(await ask(`/${id}`)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  })

  it('of another merchant is not found', async () => {
    const [id] = (await list()).events.map(({ _id }) => _id)
    const { secretKey } = await service.makeMerchant()
    expect(await ask(`/${id}`, secretKey)).toMatchObject({ status: 404 })
  })
})

const shownBy =
  (kind: string): ResourceAsOf =>
  (event) =>
    Promise.resolve({ kind, _id: event.subject })
const resources: ResourcesAsOf = {
  charge: shownBy('charge'),
  dispute: shownBy('dispute'),
  checkout: shownBy('checkout'),
  agreement: shownBy('agreement'),
  payment: shownBy('payment'),
  test: shownBy('test'),
}
const eventOf = (type: string) => ({ id: 'e', subject: 's', type, createdAt: new Date(0) })

describe('the content of an event', () => {
  it.each([...WebhookEventType.options, TEST_EVENT])('of type %s is shown by its kind', async (type) => {
    const [kind] = type.split('.')
    expect(await contentOf(resources, eventOf(type))).toEqual({
      type,
      timestamp: '1970-01-01T00:00:00.000Z',
      data: { kind, _id: 's' },
    })
  })

  it.each(['webhook.added', 'toString.made', 'charge-back.made', ''])(
    'of type %j is shown by nobody',
    async (type) => {
      await expect(contentOf(resources, eventOf(type))).rejects.toThrow(`of type ${type}`)
    },
  )

  it('is shown for every kind that the contract names', () => {
    expect(WebhookEventType.options).toContain('agreement.collection_skipped')
    expect(WebhookEventType.options).toContain('payment.under_investigation')
    expect(new Set([...WebhookEventType.options, TEST_EVENT].map((type) => type.split('.')[0]))).toEqual(
      new Set(Object.keys(resources)),
    )
  })
})
