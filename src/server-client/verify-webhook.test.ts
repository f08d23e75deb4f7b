import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../service/testing/test-service.ts'
import type { TestService } from '../service/testing/test-service.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../service/testing/webhook-receiver.ts'
import type { WebhookReceiver } from '../service/testing/webhook-receiver.ts'
import { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts'

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(24, 8).toString('base64')}`
const NOW = Date.parse('2026-11-22T10:00:00Z')
const body = JSON.stringify({
  type: 'charge.captured',
  timestamp: '2026-11-22T10:00:00.000Z',
  data: { _id: 'a€' },
})

/** Signed by the library of Standard Webhooks itself. */
function headersOf(text = body, { secret = SECRET, sentAt = NOW } = {}) {
  return {
    'webhook-id': 'e1',
    'webhook-timestamp': String(sentAt / 1000),
    'webhook-signature': new StandardWebhook(secret).sign('e1', new Date(sentAt), text),
  }
}

describe('a message that is signed right', () => {
  it('is an event, whose data is known by its type', () => {
    const event = verifyWebhook(body, headersOf(), SECRET, NOW)
    expect(event.type === 'charge.captured' && event.data._id).toBe('a€')
  })

  it('may tell what a bank asks, and how that ended', () => {
    const _3ds = { id: 'a1', status: 'cancelled', asked_by: 'gateway' }
    const ended = JSON.stringify({ type: 'charge.not_authenticated', data: { _id: 'c1', _3ds } })
    const event = verifyWebhook(ended, headersOf(ended), SECRET, NOW)
    expect(event.type === 'charge.not_authenticated' && event.data._3ds?.status).toBe('cancelled')
  })

  it.each([
    ['bytes', Buffer.from(body)],
    ['a Uint8Array', new TextEncoder().encode(body)],
  ])('may be %s', (_, bytes) => {
    expect(verifyWebhook(bytes, headersOf(), SECRET, NOW).type).toBe('charge.captured')
  })

  it('may come with the headers of the Fetch API', () => {
    expect(verifyWebhook(body, new Headers(headersOf()), SECRET, NOW).type).toBe('charge.captured')
  })

  it('may come with headers of other letters, as some gateways hand them on', () => {
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(headersOf())) headers[name.toUpperCase()] = value
    expect(verifyWebhook(body, headers, SECRET, NOW).type).toBe('charge.captured')
  })

  it('may have several signatures, and there may be several secrets', () => {
    const headers = headersOf()
    const signatures = `v1a,AAAA ${headersOf(body, { secret: OTHER })['webhook-signature']} ${headers['webhook-signature']}`
    const several = { ...headers, 'webhook-signature': signatures }
    expect(verifyWebhook(body, several, SECRET, NOW).type).toBe('charge.captured')
    expect(verifyWebhook(body, headers, [OTHER, SECRET], NOW).type).toBe('charge.captured')
  })

  it.each([-299, 299])('may be %i s from the time of this runtime', (seconds) => {
    const headers = headersOf(body, { sentAt: NOW + seconds * 1000 })
    expect(verifyWebhook(body, headers, SECRET, NOW).type).toBe('charge.captured')
  })
})

describe('a message is refused', () => {
  const changed = body.replace('captured', 'refunded')
  it.each([
    ['another secret', body, headersOf(body, { secret: OTHER }), /No signature is right/],
    ['another body', changed, headersOf(), /No signature is right/],
    ['another id', body, { ...headersOf(), 'webhook-id': 'e2' }, /No signature is right/],
    [
      'a signature of another version',
      body,
      { ...headersOf(), 'webhook-signature': 'v2,AAAA' },
      /No signature/,
    ],
    ['a cut signature', body, { ...headersOf(), 'webhook-signature': 'v1,AAAA' }, /No signature/],
    [
      'no signature',
      body,
      { ...headersOf(), 'webhook-signature': undefined },
      /webhook-signature is missing/,
    ],
    ['no id', body, { ...headersOf(), 'webhook-id': '' }, /webhook-id is missing/],
    ['an old time', body, headersOf(body, { sentAt: NOW - 301_000 }), /more than 5 minutes ago/],
    ['a time to come', body, headersOf(body, { sentAt: NOW + 301_000 }), /clock is wrong/],
    ['a time that is none', body, { ...headersOf(), 'webhook-timestamp': 'now' }, /5 minutes/],
    ['what is no event', '[]', headersOf('[]'), /is no event/],
  ])('with %s', (_, text, headers, words) => {
    const verify = () => verifyWebhook(text, headers, SECRET, NOW)
    expect(verify).toThrow(WebhookVerificationError)
    expect(verify).toThrow(words)
  })

  it.each([['', 'whsec_', 'whsec_AAAA']])('by an empty or short secret nothing is verified: %j', (secret) => {
    expect(() => verifyWebhook(body, headersOf(), secret, NOW)).toThrow(TypeError)
    expect(() => verifyWebhook(body, headersOf(), [], NOW)).toThrow(TypeError)
  })

  it('that was parsed already: what was parsed is not what was signed', () => {
    const parsed: unknown = JSON.parse(body)
    const verify = (): unknown => Reflect.apply(verifyWebhook, null, [parsed, headersOf(), SECRET, NOW])
    expect(verify).toThrow(/takes the raw body/)
  })
})

describe('what the service sends', () => {
  let service: TestService
  let receiver: WebhookReceiver
  beforeAll(async () => {
    service = await createTestService()
    receiver = await createWebhookReceiver()
  })
  afterAll(async () => {
    await receiver.close()
    await service.close()
  })

  it('is verified by the secret that it answered', async () => {
    const { secret } = await makeWebhook(service, { url: receiver.url })
    const { _id: id } = await service.authorise()
    await sendWebhooks(service)
    const [message] = receiver.received
    const event = verifyWebhook(message?.body ?? '', message?.headers ?? {}, secret)
    expect(event.type === 'charge.authorised' && event.data._id).toBe(id)
  })
})
