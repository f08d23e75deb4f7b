import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebhookDeliveryResource } from '../../../contract/api/webhook.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import {
  callWebhook,
  createWebhookReceiver,
  makeWebhook,
  sendWebhooks,
} from '../../testing/webhook-receiver.ts'
import type { WebhookReceiver, WebhookRequest } from '../../testing/webhook-receiver.ts'

let service: TestService
let receiver: WebhookReceiver
let hook: Awaited<ReturnType<typeof makeWebhook>>
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())
beforeEach(async () => {
  receiver = await createWebhookReceiver()
  hook = await makeWebhook(service, { url: receiver.url, events: ['charge.captured'] })
})
afterEach(async () => {
  await ask('DELETE', '')
  await receiver.close()
})

const ask = (...request: WebhookRequest) => callWebhook(service, hook._id, ...request)
async function list(query = '') {
  const { status, body } = await ask('GET', `/deliveries${query}`)
  expect(status).toBe(200)
  return {
    deliveries: v.parse(v.array(WebhookDeliveryResource), body.resource.data),
    next: body.resource.next ?? null,
  }
}
const idOf = (data: unknown) => v.parse(v.looseObject({ event_id: v.string() }), data).event_id
const told = testStatement<{ type: string; facts: object }>(
  't_told_of_hook',
  'SELECT type, facts FROM event_outbox WHERE subject = $1 ORDER BY created_at DESC LIMIT 1',
)
/** So many deliveries of captured charges, every tenth given up. */
const fill = testStatement(
  't_fill_deliveries',
  `WITH made AS (
     INSERT INTO events (seq, id, merchant_id, type, subject, actor, facts, created_at, hash)
     SELECT 1000000 + n, lpad(to_hex(n), 24, '0'), $2, 'charge.captured', lpad('', 24, 'c'), 'merchant', '{}', now(), ''
     FROM generate_series(1, 250) AS n RETURNING id, seq)
   INSERT INTO webhook_deliveries (webhook_id, event_id, attempts, next_at, delivered_at, gave_up_at, created_at)
   SELECT $1, id, 1, NULL, CASE WHEN seq % 10 <> 0 THEN now() END, CASE WHEN seq % 10 = 0 THEN now() END,
          now() - (seq / 3) * interval '1 second'
   FROM made`,
)

describe('a test event', () => {
  it('comes to this webhook alone, signed, and shows the webhook without its secret', async () => {
    const other = await makeWebhook(service, { url: receiver.url })
    const { status, body } = await ask('POST', '/test')
    expect(status).toBe(201)
    expect(body.resource.data).toMatchObject({
      type: 'test.ping',
      resource_id: hook._id,
      status: 'waiting',
      attempts: 0,
    })
    await sendWebhooks(service)
    expect(receiver.types()).toEqual(['test.ping'])
    const [message] = receiver.received
    const verified = new Webhook(hook.secret).verify(message?.body ?? '', message?.headers ?? {})
    expect(verified).toMatchObject({ type: 'test.ping', data: { _id: hook._id, url: receiver.url } })
    expect(message?.body).not.toContain('whsec_')
    expect((await list()).deliveries).toMatchObject([
      {
        event_id: idOf(body.resource.data),
        type: 'test.ping',
        charge_id: null,
        status: 'delivered',
        last_status: 204,
      },
    ])
    const headers = { 'x-user-secret-key': service.merchant.secretKey }
    await service.call({ method: 'DELETE', url: `/v1/webhooks/${other._id}`, headers })
  })

  it('is made once under one key', async () => {
    const key = { 'idempotency-key': 'ping-1' }
    const [first, second] = [
      await ask('POST', '/test', undefined, key),
      await ask('POST', '/test', undefined, key),
    ]
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.body).toEqual(first.body)
    await sendWebhooks(service)
    expect(receiver.received).toHaveLength(1)
  })

  it('is refused by a webhook that is disabled, that is gone, or that is of another merchant', async () => {
    receiver.answerNext(410)
    await ask('POST', '/test')
    await sendWebhooks(service)
    expect(await ask('POST', '/test')).toMatchObject({
      status: 422,
      body: { error: { code: 'unfulfilled_condition' } },
    })
    const { secretKey } = await service.makeMerchant()
    expect(await ask('POST', '/test', undefined, { 'x-user-secret-key': secretKey })).toMatchObject({
      status: 404,
    })
    await ask('DELETE', '')
    expect(await ask('POST', '/test')).toMatchObject({ status: 404 })
  })
})

describe('a delivery', () => {
  it('is sent once more, whether it was delivered or given up, and that is in the audit log', async () => {
    const id = idOf((await ask('POST', '/test')).body.resource.data)
    await sendWebhooks(service)
    const again = await ask('POST', `/deliveries/${id}/resend`)
    expect(again).toMatchObject({
      status: 201,
      body: { resource: { data: { event_id: id, status: 'waiting', attempts: 0, delivered_at: null } } },
    })
    await sendWebhooks(service)
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id])
    expect((await list()).deliveries).toMatchObject([{ event_id: id, status: 'delivered' }])
  })

  it('is not sent once more by a webhook that is disabled, which is said', async () => {
    const id = idOf((await ask('POST', '/test')).body.resource.data)
    receiver.answerNext(410)
    await sendWebhooks(service)
    expect(await ask('POST', `/deliveries/${id}/resend`)).toMatchObject({
      status: 422,
      body: {
        error: { code: 'unfulfilled_condition', message: 'This webhook is disabled. Enable it first.' },
      },
    })
  })

  it('of another webhook or merchant is not there', async () => {
    const id = idOf((await ask('POST', '/test')).body.resource.data)
    await sendWebhooks(service)
    const { secretKey } = await service.makeMerchant()
    expect(
      await ask('POST', `/deliveries/${id}/resend`, undefined, { 'x-user-secret-key': secretKey }),
    ).toMatchObject({
      status: 404,
    })
    expect(await ask('POST', `/deliveries/${'f'.repeat(24)}/resend`)).toMatchObject({ status: 404 })
    expect(receiver.received).toHaveLength(1)
  })

  it('that is sent again says so in the audit log', async () => {
    const id = idOf((await ask('POST', '/test')).body.resource.data)
    await sendWebhooks(service)
    await ask('POST', `/deliveries/${id}/resend`)
    expect(await service.database.run(told, [hook._id])).toEqual([
      { type: 'webhook.replayed', facts: { deliveries: 1, since: null, event: id } },
    ])
  })
})

describe('the list of deliveries', () => {
  beforeEach(async () => {
    await service.database.script('DELETE FROM events WHERE seq > 1000000; DELETE FROM webhook_deliveries')
    await service.database.run(fill, [hook._id, service.merchant.merchant.id])
  })

  it('has 100 to a page, newest first, and each delivery once', async () => {
    const found: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const page = await list(next === '' ? '' : `?cursor=${next}`)
      found.push(...page.deliveries.map(({ event_id }) => event_id))
      ;({ next } = page)
    }
    expect([found.length, new Set(found).size]).toEqual([250, 250])
  })

  it('is narrowed by status', async () => {
    expect((await list('?status=failed')).deliveries).toHaveLength(25)
    expect((await list('?status=waiting')).deliveries).toEqual([])
    const { deliveries, next } = await list('?status=delivered&limit=50')
    expect([deliveries.length, next !== null]).toEqual([50, true])
    expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['delivered']))
  })

  it.each([['status=lost'], ['limit=101'], ['cursor=1'], ['state=failed']])('refuses ?%s', async (query) => {
    expect(await ask('GET', `/deliveries?${query}`)).toMatchObject({ status: 400 })
  })
})
