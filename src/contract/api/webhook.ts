import * as v from 'valibot'
import { Identifier } from './identifier.ts'

/** What a webhook can be told: what became of each attempt to move money. */
export const WebhookEventType = v.picklist([
  'charge.authorised',
  'charge.captured',
  'charge.cancelled',
  'charge.expired',
  'charge.refunded',
  'charge.failed',
  'charge.capture_failed',
  'charge.cancel_failed',
  'charge.refund_failed',
])
export type WebhookEventType = v.InferOutput<typeof WebhookEventType>

export const MOST_URL_LENGTH = 2048

/** `POST /v1/webhooks`: without `events` it is told all of them. */
export const WebhookRequest = v.strictObject({
  url: v.pipe(
    v.string(),
    v.maxLength(MOST_URL_LENGTH, `may have ${String(MOST_URL_LENGTH)} characters at most`),
    v.regex(/^[^\p{White_Space}\p{Cc}]*$/u, 'may hold no white space or control characters'),
    v.url('must be an absolute URL'),
  ),
  events: v.optional(v.pipe(v.array(WebhookEventType), v.nonEmpty('must name an event, or be left out'))),
})
export type WebhookRequest = v.InferOutput<typeof WebhookRequest>

/** A webhook on the wire. `disabled`: its server said 410 Gone, and nothing is sent there any more. */
export const WebhookResource = v.strictObject({
  _id: Identifier,
  url: v.string(),
  events: v.array(WebhookEventType),
  status: v.picklist(['enabled', 'disabled']),
  /** What its messages are signed with: in the answer that makes it, and never again. */
  secret: v.optional(v.string()),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
})
export type WebhookResource = v.InferOutput<typeof WebhookResource>

/** One event on its way to one webhook. `waiting`: it is sent at `next_at`; `failed`: nobody tries again. */
export const WebhookDeliveryResource = v.strictObject({
  event_id: Identifier,
  type: v.string(),
  charge_id: Identifier,
  status: v.picklist(['waiting', 'delivered', 'failed']),
  attempts: v.number(),
  /** HTTP status of the last answer, if there was one. */
  last_status: v.nullable(v.number()),
  /** Why the last attempt failed. */
  last_fault: v.nullable(v.string()),
  next_at: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  delivered_at: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
})
export type WebhookDeliveryResource = v.InferOutput<typeof WebhookDeliveryResource>
