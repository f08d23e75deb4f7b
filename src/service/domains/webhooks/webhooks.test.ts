import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebhookEventType } from '../../../contract/api/webhook.ts'
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
  'UPDATE webhook_deliveries SET next_at = now() WHERE webhook_id = $1 AND next_at IS NOT NULL',
)

describe('a webhook is changed', () => {
  it('in its events and its URL, and keeps what is left out', async () => {
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

  it('in its URL; a late 410 of the URL before is a failure, and the new one is tried', async () => {
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

  it.each([[['*']], [['charge.failed', '*']]])('to get every event by the events %j', async (events) => {
    await change({ events })
    expect(await read()).toMatchObject({ events: WebhookEventType.options })
  })

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
  it('because of a 410 is enabled again, and sent what happens from then on', async () => {
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

  it('by its merchant is sent nothing; what waited is given up, and can be sent later', async () => {
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

describe('a webhook that is enabled again', () => {
  const holdUp = testStatement('t_hold_up', 'SELECT pg_advisory_xact_lock(1)')
  const heldUp = testStatement<{ count: number }>(
    't_held_up',
    `SELECT count(*)::int AS count FROM pg_locks
     WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  )
  beforeAll(() =>
    // Deliveries are added once nobody holds the lock.
    service.database.script(`
      CREATE FUNCTION wait_for_turn() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$;
      CREATE TRIGGER wait_for_turn BEFORE INSERT ON webhook_deliveries FOR EACH ROW EXECUTE FUNCTION wait_for_turn()`),
  )

  it('is not sent events that were sealed while it was being disabled', async () => {
    await change({ events: ['charge.authorised'] })
    await service.authorise()
    let sealing: Promise<unknown> = Promise.resolve()
    await service.database.transaction(async (queries) => {
      await queries.run(holdUp, [])
      sealing = service.runJob('seal events')
      await vi.waitFor(async () => expect(await service.database.run(heldUp, [])).toEqual([{ count: 1 }]))
      await change({ status: 'disabled' })
    })
    await sealing
    expect(await deliveries()).toMatchObject([{ status: 'waiting' }])
    await change({ status: 'enabled' })
    await sendWebhooks(service)
    expect(receiver.types()).toEqual([])
    expect(await deliveries()).toMatchObject([
      { status: 'failed', last_fault: 'the webhook was disabled', next_at: null },
    ])
  })

  it('that is enabled already keeps what waits for it', async () => {
    await change({ events: ['charge.authorised'] })
    await service.authorise()
    await service.runJob('seal events')
    await change({ status: 'enabled' })
    await sendWebhooks(service)
    expect(receiver.types()).toEqual(['charge.authorised'])
  })
})

describe('the webhooks of a merchant', () => {
  let owner: TestService['merchant']
  beforeAll(async () => (owner = await service.makeMerchant()))
  const make = async (url: string, { secretKey } = owner) =>
    service.call({
      method: 'POST',
      url: '/v1/webhooks',
      headers: { 'x-user-secret-key': secretKey },
      payload: { url },
    })

  it('are 16 at most, also when 40 are made at once', async () => {
    await service.database.script(`
      CREATE FUNCTION wait_a_little() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(random() / 50); RETURN NEW; END $$;
      CREATE TRIGGER wait_a_little BEFORE INSERT ON webhooks
        FOR EACH ROW EXECUTE FUNCTION wait_a_little()`)
    const merchant = await service.makeMerchant()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, number) => make(`https://shop.example/${number}`, merchant)),
    )
    await service.database.script('DROP TRIGGER wait_a_little ON webhooks')
    const made = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ body }) => body.error?.code === 'unfulfilled_condition')
    expect([made.length, refused.length]).toEqual([16, 24])
  })

  it('keep their address in its normal form, not as it was written', async () => {
    const { body } = await make('HTTPS://Shop.Example:443/a/../hook?x=é')
    expect(body.resource.data).toMatchObject({ url: 'https://shop.example/hook?x=%C3%A9' })
  })

  it.each([
    ['http://localhost:3000/hook', 201],
    ['http://127.0.0.1/hook', 201],
    ['http://[::1]/hook', 201],
    ['https://10.0.0.1/hook', 201],
    ['http://10.0.0.1/hook', 400],
    ['http://shop.example/hook', 400],
    ['http://shop.localhost/hook', 400],
  ])('may use https anywhere, and in the sandbox http on this machine: %s is %i', async (url, status) => {
    expect((await make(url)).status).toBe(status)
  })

  it.each([
    'https://example.com/\u0000',
    'https://example.com/\ud800',
    'https://example.com/\n',
    'https://exa\tmple.com/',
    ' https://example.com/',
    'https://example.com/a\u00a0b',
    `https://example.com/${'é'.repeat(1000)}`,
  ])('refuse the address %j', async (url) => {
    const { status, body } = await make(url)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'validation_error', details: [{ path: 'url' }] })
  })
})
