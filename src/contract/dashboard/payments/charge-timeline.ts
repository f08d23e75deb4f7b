import * as v from 'valibot'
import { AUTHENTICATION_STATUSES } from '../../api/charges/authentication.ts'
import { Identifier } from '../../api/fields/identifier.ts'

const timestamp = v.pipe(v.string(), v.isoTimestamp())
const nullableText = v.nullable(v.string())

/** A webhook's message about one attempt, and whether it has arrived. */
const TimelineDelivery = v.strictObject({
  webhook_id: Identifier,
  url: v.string(),
  status: v.picklist(['waiting', 'delivered', 'failed']),
  attempts: v.number(),
  last_status: v.nullable(v.number()),
  last_fault: nullableText,
  next_at: v.nullable(timestamp),
  delivered_at: v.nullable(timestamp),
})

const TimelineStep = v.strictObject({
  at: timestamp,
  /** What webhooks were told of it. */
  webhooks: v.array(TimelineDelivery),
})

/** How the card holder's bank took part in a sale. What it brought in detail is `_3ds` of the charge. */
const TimelineAuthentication = v.strictObject({
  status: v.picklist(AUTHENTICATION_STATUSES),
  asked_by: v.picklist(['merchant', 'gateway', 'bank']),
  flow: v.nullable(v.picklist(['frictionless', 'challenge'])),
  /** When the bank asked the card holder; null if it had no question. */
  asked: v.nullable(TimelineStep),
  /** When that ended; null while they are asked. */
  ended: v.nullable(TimelineStep),
})

/** One attempt to move money, with its outcome. `id` is also that of its event in the audit log. */
const TimelineAttempt = v.strictObject({
  id: Identifier,
  type: v.picklist(['sale', 'capture', 'cancel', 'refund', 'reversal']),
  /** The type of the attempt that a reversal says did not come about; null of any other. */
  reverses: v.nullable(v.picklist(['sale', 'capture', 'cancel', 'refund'])),
  /** `open`: the gateway has not said it yet; `unreachable`, `not_received`: no money was moved. */
  outcome: v.picklist(['open', 'approved', 'declined', 'unreachable', 'not_received']),
  /** In units of the currency. */
  amount: v.number(),
  currency: v.string(),
  reference: nullableText,
  /** Who asked for it: `merchant` (by its key), `user:ID` (on the dashboard), `service` (a hold that was over) or `gateway` (it told of it). */
  actor: v.string(),
  source_ip: nullableText,
  error_code: nullableText,
  error_message: nullableText,
  /** The gateway's own words. */
  gateway_code: nullableText,
  gateway_description: nullableText,
  external_id: nullableText,
  external_reference: nullableText,
  created_at: timestamp,
  settled_at: v.nullable(timestamp),
  /** Of a sale; null where the bank took no part. */
  authentication: v.nullable(TimelineAuthentication),
  webhooks: v.array(TimelineDelivery),
})

/** Data of `GET /api/charges/{id}/timeline`: every attempt of a charge, oldest first. */
export const ChargeTimeline = v.strictObject({
  charge_id: Identifier,
  created_at: timestamp,
  /** When the held funds go back by themselves; null unless funds are held. */
  hold_ends_at: v.nullable(timestamp),
  attempts: v.array(TimelineAttempt),
})
export type ChargeTimeline = v.InferOutput<typeof ChargeTimeline>
