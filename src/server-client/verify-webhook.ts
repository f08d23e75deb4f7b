import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Webhooks } from './described-api.ts'

/** How far the time of a message may be from ours, in seconds: an older one may be somebody's who recorded it. */
const TOLERANCE_SECONDS = 5 * 60

/** Standard Webhooks 1.0 asks for at least 24 bytes; the service's own secrets have exactly that. */
const MIN_KEY_BYTES = 24

/** The headers of a request, as Node's `http`, frameworks on it, or the Fetch API have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * An event as a webhook receives it: `data` is the resource as it was right after it. A later version of the service may send other types:
 * leave what you do not know.
 */
export type WebhookEvent = Webhooks['body']

/** A message that is not from the service, is too old, or was changed on its way. Answer 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/**
 * The event of a message that came to a webhook, signed as Standard Webhooks 1.0 says. `body` is the body as it was received, not
 * parsed; while secrets are rotated, `secrets` has both; `now` is in ms since 1970. Throws a `WebhookVerificationError`.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  now: number = Date.now(),
): WebhookEvent {
  refuseUnlessRaw(body)
  const [id, timestamp] = [headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp')]
  refuseUnlessRecent(timestamp, now)
  const given = signaturesIn(headerOf(headers, 'webhook-signature'))
  const expected = keysOf(secrets).map((key) => signatureOf(key, `${id}.${timestamp}.`, body))
  if (!isAnySame(expected, given)) {
    throw new WebhookVerificationError(
      'No signature is right: the secret is another one, or the body is not the one that was received.',
    )
  }
  const event: unknown = JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString())
  if (!isEvent(event)) throw new WebhookVerificationError('The message is signed, and is no event.')
  return event
}

function refuseUnlessRaw(body: unknown): void {
  if (typeof body === 'string' || body instanceof Uint8Array) return
  throw new TypeError(
    'verifyWebhook takes the raw body, a text or bytes: what was parsed is not what was signed.',
  )
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const all = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const value = all.find(([given]) => given.toLowerCase() === name)?.[1]
  if (typeof value === 'string' && value !== '') return value
  throw new WebhookVerificationError(`The header ${name} is missing: the request is not from the service.`)
}

function refuseUnlessRecent(timestamp: string, now: number): void {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : NaN
  if (!(Math.abs(now / 1000 - seconds) <= TOLERANCE_SECONDS)) {
    throw new WebhookVerificationError(
      'The message was sent more than 5 minutes ago, or this runtime’s clock is wrong.',
    )
  }
}

function keysOf(secrets: unknown): Buffer[] {
  const all: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets]
  if (all.length === 0) throw new TypeError('verifyWebhook needs the secret of the webhook (whsec_…).')
  return all.map((secret: unknown) => {
    // A secret that is missing in the environment would be an empty key, with which anybody can sign.
    const key = Buffer.from(typeof secret === 'string' ? secret.replace(/^whsec_/, '') : '', 'base64')
    if (key.length < MIN_KEY_BYTES)
      throw new TypeError('The secret of a webhook is whsec_… as the service answered it.')
    return key
  })
}

const signatureOf = (key: Buffer, prefix: string, body: string | Uint8Array): Buffer =>
  createHmac('sha256', key).update(prefix).update(body).digest()

/** Those of version 1, as bytes; others are of schemes that this client does not know. */
function signaturesIn(header: string): Buffer[] {
  return header
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice('v1,'.length), 'base64'))
}

/** Compares each with each in constant time. */
function isAnySame(expected: readonly Buffer[], given: readonly Buffer[]): boolean {
  const pairs = expected.flatMap((one) => given.map((other) => [one, other] as const))
  return pairs.filter(([one, other]) => one.length === other.length && timingSafeEqual(one, other)).length > 0
}

/** The signature shows that it is from the service, so `data` is what the API's description says for its type. */
function isEvent(value: unknown): value is WebhookEvent {
  return typeof value === 'object' && value !== null && 'type' in value && 'data' in value
}
