import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebhookEventType } from '../../../contract/api/webhook.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../../testing/webhook-receiver.ts'
import type { WebhookReceiver } from '../../testing/webhook-receiver.ts'

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

const ask = (
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH',
  path: string,
  payload?: object,
  headers: Record<string, string> = {},
) =>
  service.call({
    method,
    url: `/v1/webhooks/${hook._id}${path}`,
    headers: { 'x-user-secret-key': service.merchant.secretKey, ...headers },
    ...(payload !== undefined && { payload }),
  })
const change = (payload: object, headers?: Record<string, string>) => ask('PATCH', '', payload, headers)
const capture = async () => {
  const { _id } = await service.authorise()
  const headers = { 'x-user-secret-key': service.merchant.secretKey }
  await service.call({ method: 'POST', url: `/v1/charges/${_id}/capture`, headers, payload: {} })
}
const read = async () => (await ask('GET', '')).body.resource.data
const deliveries = async () => (await ask('GET', '/deliveries')).body.resource.data

const makeDue = testStatement(
  't_make_due',
  'UPDATE webhook_deliveries SET next_at = now() WHERE endpoint_id = $1 AND next_at IS NOT NULL',
)

describe('a webhook is changed', () => {
  it('in what it is told of and where, and keeps what is left out', async () => {
    const elsewhere = await createWebhookReceiver()
    const { status, body } = await change({ url: elsewhere.url })
    expect([status, body.resource.data]).toMatchObject([
      200,
      { url: elsewhere.url, events: ['charge.captured'], status: 'enabled', old_secret_ends_at: null },
    ])
    expect(body.resource.data).not.toHaveProperty('secret')
    await change({ events: ['charge.authorised', 'charge.authorised'] })
    expect(await read()).toMatchObject({ url: elsewhere.url, events: ['charge.authorised'] })
    await service.authorise()
    await sendWebhooks(service)
    expect([receiver.types(), elsewhere.types()]).toEqual([[], ['charge.authorised']])
    await elsewhere.close()
  })

  it('in where, and a late 410 of the address before is a failure that is sent again to the new one', async () => {
    const elsewhere = await createWebhookReceiver()
    let answer: (status: number) => void = () => undefined
    receiver.answerNext(new Promise<number>((resolve) => (answer = resolve)))
    await ask('POST', '/test')
    const sending = sendWebhooks(service)
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1))
    await change({ url: elsewhere.url })
    answer(410)
    await sending
    expect(await read()).toMatchObject({ url: elsewhere.url, status: 'enabled' })
    expect(await deliveries()).toMatchObject([
      { status: 'waiting', attempts: 1, last_status: 410, last_fault: 'the server said 410' },
    ])
    await service.database.run(makeDue, [hook._id])
    await sendWebhooks(service)
    expect(elsewhere.types()).toEqual(['test.ping'])
    await elsewhere.close()
  })

  it.each([[['*']], [['charge.failed', '*']]])(
    'to be told of all there is by the events %j',
    async (events) => {
      await change({ events })
      expect(await read()).toMatchObject({ events: WebhookEventType.options })
    },
  )

  it.each([
    [{}, '', 'must hold url, events or status'],
    [{ url: '', events: null }, '', 'must hold url, events or status'],
    [{ url: 'ftp://shop.example' }, 'url', 'must begin with https:// (http:// for localhost only)'],
    [{ url: 'https://user:pass@shop.example' }, 'url', 'may hold no user name or password'],
    [{ url: 'shop' }, 'url', 'must be an absolute URL'],
    [{ events: [] }, 'events', 'must name an event, or be left out'],
    [
      { events: ['charge.capture'] },
      'events.0',
      /^"charge\.capture" is no event\. Those that begin with "charge\." are: /,
    ],
    [{ status: 'active' }, 'status', 'must be enabled or disabled'],
    [{ secret: 'whsec_mine' }, 'secret', 'is not known here'],
  ])('not by %j', async (body, path, message) => {
    const before = await read()
    const answer = await change(body)
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path }] } } })
    expect(answer.body.error?.details?.[0]?.message).toMatch(message)
    expect(await read()).toEqual(before)
  })

  it('not by another merchant, and not once it is gone', async () => {
    const { secretKey } = await service.makeMerchant()
    const byOther = { 'x-user-secret-key': secretKey }
    expect(await change({ status: 'disabled' }, byOther)).toMatchObject({ status: 404 })
    expect(await change({ status: 'enabled' }, byOther)).toMatchObject({ status: 404 })
    expect(await read()).toMatchObject({ status: 'enabled' })
    await ask('DELETE', '')
    expect(await change({ status: 'disabled' })).toMatchObject({ status: 404 })
  })

  it('once under one key', async () => {
    const key = { 'idempotency-key': 'change-1' }
    const first = await change({ events: ['charge.failed'] }, key)
    await change({ events: ['charge.expired'] })
    const again = await change({ events: ['charge.failed'] }, key)
    expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', first.body])
    expect(await read()).toMatchObject({ events: ['charge.expired'] })
  })
})

describe('a webhook that is disabled', () => {
  it('because its server said 410 is enabled again, and sent what happens from then on', async () => {
    receiver.answerNext(410)
    await ask('POST', '/test')
    await sendWebhooks(service)
    expect(await read()).toMatchObject({ status: 'disabled' })
    await capture()
    await sendWebhooks(service)
    expect(await change({ status: 'enabled' })).toMatchObject({
      status: 200,
      body: { resource: { data: { status: 'enabled' } } },
    })
    await sendWebhooks(service)
    expect(receiver.types()).toEqual(['test.ping'])
    await capture()
    await sendWebhooks(service)
    expect(receiver.types()).toEqual(['test.ping', 'charge.captured'])
  })

  it('by its merchant is sent nothing, and what waited is given up; it can be sent once more later', async () => {
    receiver.answerNext(500)
    await ask('POST', '/test')
    await sendWebhooks(service)
    await change({ status: 'disabled' })
    expect(await deliveries()).toMatchObject([
      { status: 'failed', last_status: 500, last_fault: 'the webhook was disabled', next_at: null },
    ])
    await capture()
    await sendWebhooks(service)
    expect(await ask('POST', '/test')).toMatchObject({
      status: 422,
      body: { error: { message: 'This webhook is disabled. Enable it first.' } },
    })
    await change({ status: 'enabled' })
    const [id] = receiver.received.map(({ headers }) => headers['webhook-id'])
    await ask('POST', `/deliveries/${id}/resend`)
    await sendWebhooks(service)
    expect(receiver.types()).toEqual(['test.ping', 'test.ping'])
    expect(await deliveries()).toMatchObject([{ status: 'delivered' }])
  })
})
