import * as v from 'valibot'
import { PAYMENT_STATUSES } from './agreements/agreement-payment-resource.ts'
import { AGREEMENT_CHANGES } from './agreements/agreement-resource.ts'
import { CHARGE_CHANGES } from './charges/charge-resource.ts'
import { CHECKOUT_ENDS } from './checkouts/checkout-resource.ts'
import { DISPUTE_CHANGES } from './disputes/dispute-resource.ts'
import { Identifier } from './fields/identifier.ts'
import { OverlapSeconds } from './fields/overlap-seconds.ts'

/**
 * Types of webhook events: the outcome of each attempt to move money by card, each change of a dispute, each end of a checkout, each change of an agreement,
 * and each status that a payment of an agreement takes (docs/webhooks.md).
 */
export const WebhookEventType = v.picklist(
  [
    ...CHARGE_CHANGES.map((change) => `charge.${change}` as const),
    ...DISPUTE_CHANGES.map((change) => `dispute.${change}` as const),
    ...CHECKOUT_ENDS.map((end) => `checkout.${end}` as const),
    ...AGREEMENT_CHANGES.map((change) => `agreement.${change}` as const),
    ...PAYMENT_STATUSES.map((status) => `payment.${status}` as const),
  ],
  ({ input }) => noEvent(input),
)
export type WebhookEventType = v.InferOutput<typeof WebhookEventType>

/** Says of an unknown event which ones there are of its kind: all of them would be cut off. */
function noEvent(given: unknown): string {
  if (typeof given !== 'string') return 'must be text'
  const kind = /^(?:charge|dispute|checkout|agreement|payment)(?=\.)/.exec(given)?.[0]
  const name = given.slice(0, LONGEST_NAME)
  if (kind === undefined)
    return `"${name}" is no event. Events begin with charge., dispute., checkout., agreement. or payment.: see /docs`
  const known = WebhookEventType.options.flatMap((event) =>
    event.startsWith(`${kind}.`) ? [event.slice(kind.length + 1)] : [],
  )
  return `"${name}" is no event. Those that begin with "${kind}." are: ${known.join(', ')}`
}

/** Type of the event that is sent to one webhook to try it out; no webhook can ask for it. */
export const TEST_EVENT = 'test.ping'

/** How much of an unknown event's name an error repeats. */
const LONGEST_NAME = 40

export const MAX_URL_LENGTH = 2048

const Address = v.pipe(
  v.string(),
  v.maxLength(MAX_URL_LENGTH, `may have ${String(MAX_URL_LENGTH)} characters at most`),
  v.regex(/^[^\p{White_Space}\p{Cc}]*$/u, 'may hold no white space or control characters'),
  v.url('must be an absolute URL'),
)

/** In a list of events: all of them, also those that come to exist later. */
export const ALL_EVENTS = '*'

const ChosenEvents = v.pipe(
  v.array(v.picklist([...WebhookEventType.options, ALL_EVENTS], ({ input }) => noEvent(input))),
  v.nonEmpty('must name an event, or be left out'),
)

/** Body of `POST /v1/webhooks`. Without `events` it receives all of them, also those that come to exist later. */
export const WebhookRequest = v.strictObject({ url: Address, events: v.optional(ChosenEvents) })
export type WebhookRequest = v.InferOutput<typeof WebhookRequest>

/** `disabled`: its server answered 410 Gone, or the merchant said so; nothing is sent there. */
const WebhookStatus = v.picklist(['enabled', 'disabled'], 'must be enabled or disabled')

/** Body of `PATCH /v1/webhooks/{id}`: what is left out stays as it is. */
export const WebhookChange = v.pipe(
  v.strictObject({
    url: v.optional(Address),
    events: v.optional(ChosenEvents),
    status: v.optional(WebhookStatus),
  }),
  v.check((change) => Object.keys(change).length > 0, 'must hold url, events or status'),
)
export type WebhookChange = v.InferOutput<typeof WebhookChange>

/** Body of `POST /v1/webhooks/{id}/secret`: how long the secret that is replaced signs beside the new one. */
export const WebhookSecretRequest = v.strictObject({ overlap_seconds: OverlapSeconds })

const timestamp = v.pipe(v.string(), v.isoTimestamp())

/** A webhook on the wire. */
export const WebhookResource = v.strictObject({
  _id: Identifier,
  url: v.string(),
  events: v.array(WebhookEventType),
  status: WebhookStatus,
  /** The key that signs its messages. Present only in the answers that make one. */
  secret: v.optional(v.string()),
  /** When the last of the secrets that were replaced signs no more; null when the newest signs alone. */
  old_secret_ends_at: v.nullable(timestamp),
  created_at: timestamp,
})
export type WebhookResource = v.InferOutput<typeof WebhookResource>

/** How far an event has got on its way to a webhook. */
export const DELIVERY_STATUSES = ['waiting', 'delivered', 'failed'] as const

/** Delivery of one event to one webhook. `waiting`: next attempt at `next_at`; `failed`: no further attempt. */
export const WebhookDeliveryResource = v.strictObject({
  event_id: Identifier,
  type: v.string(),
  /** Of the charge, checkout, agreement or payment that the event is about; of a test event, the webhook. */
  resource_id: Identifier,
  /** The same, for an event of a charge; null for any other. */
  charge_id: v.nullable(Identifier),
  status: v.picklist(DELIVERY_STATUSES),
  attempts: v.number(),
  /** HTTP status of the last answer; null if there was none. */
  last_status: v.nullable(v.number()),
  /** Why the last attempt failed. */
  last_fault: v.nullable(v.string()),
  next_at: v.nullable(timestamp),
  delivered_at: v.nullable(timestamp),
  created_at: timestamp,
})
export type WebhookDeliveryResource = v.InferOutput<typeof WebhookDeliveryResource>
