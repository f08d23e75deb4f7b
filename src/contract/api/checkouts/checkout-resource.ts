import * as v from 'valibot'
import { Identifier } from '../fields/identifier.ts'

const timestamp = v.pipe(v.string(), v.isoTimestamp())
const nullableText = v.nullable(v.string())

/** How a checkout ends. */
export const CHECKOUT_ENDS = ['completed', 'expired', 'cancelled'] as const

export const CHECKOUT_STATUSES = ['active', ...CHECKOUT_ENDS] as const

/** A checkout on the wire (contract §4.1, "Checkout"). `token` is null in lists and once nobody may pay any more. */
export const CheckoutResource = v.strictObject({
  _id: Identifier,
  version: v.number(),
  status: v.picklist(CHECKOUT_STATUSES),
  amount: v.number(),
  currency: v.string(),
  reference: nullableText,
  description: nullableText,
  statement_descriptor: nullableText,
  metadata: v.record(v.string(), v.string()),
  return_url: nullableText,
  created_at: timestamp,
  updated_at: timestamp,
  token: nullableText,
  recommended_sdk_version_url: nullableText,
  recommended_sdk_version_integrity: nullableText,
  /** The iframe of the checkout for the page's own HTML; null where `token` is, and where that SDK adopts none. */
  recommended_sdk_frame_html: nullableText,
})

export type CheckoutResource = v.InferOutput<typeof CheckoutResource>

export const JOURNEY_STEPS = [
  'created',
  'viewed',
  'payment_tried',
  'payment_failed',
  'paid',
  'expired',
  'cancelled',
] as const

/** An event in the life of a checkout. Payment steps have a `charge_id`, failures the error's `code`. */
const JourneyStep = v.strictObject({
  step: v.picklist(JOURNEY_STEPS),
  at: timestamp,
  charge_id: v.optional(Identifier),
  code: v.optional(v.string()),
})

/** One checkout read by its id, with its expiry, the charge that paid it, and its events in order. */
export const CheckoutWithJourney = v.strictObject({
  ...CheckoutResource.entries,
  expires_at: timestamp,
  charge_id: v.nullable(Identifier),
  journey: v.array(JourneyStep),
})

export type CheckoutWithJourney = v.InferOutput<typeof CheckoutWithJourney>

/** A workflow version, and the SDK release that pages of its checkouts load. */
export const CheckoutVersion = v.strictObject({
  version: v.number(),
  is_retired: v.boolean(),
  recommended_sdk_version_url: nullableText,
  recommended_sdk_version_integrity: nullableText,
})
export type CheckoutVersion = v.InferOutput<typeof CheckoutVersion>
