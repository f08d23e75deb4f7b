import * as v from 'valibot'
import { Identifier } from '../fields/identifier.ts'
import { AuthenticationResource } from './authentication.ts'

const timestamp = v.pipe(v.string(), v.isoTimestamp())
const nullableText = v.nullable(v.string())
const nullableNumber = v.nullable(v.number())

/** The card of a charge, as far as a merchant may see it (contract §4.1, "Payment source"). */
const PaymentSourceResource = v.strictObject({
  type: v.literal('card'),
  gateway_id: v.string(),
  gateway_name: v.string(),
  gateway_type: v.string(),
  ref_token: nullableText,
  card_number_last4: v.pipe(v.string(), v.regex(/^\d{4}$/)),
  card_number_bin: v.pipe(v.string(), v.regex(/^(?:\d{6}|\d{8})$/)),
  card_name: v.string(),
  expire_month: v.pipe(v.number(), v.integer()),
  expire_year: v.pipe(v.number(), v.integer()),
  card_scheme: v.string(),
  items: v.array(v.never()),
  address_line1: v.optional(v.string()),
  address_line2: v.optional(v.string()),
  address_company: v.optional(v.string()),
  city: v.optional(v.string()),
  state: v.optional(v.string()),
  postcode: v.optional(v.string()),
  country: v.optional(v.string()),
})

export type PaymentSourceResource = v.InferOutput<typeof PaymentSourceResource>

const CustomerResource = v.strictObject({
  first_name: v.optional(v.string()),
  last_name: v.optional(v.string()),
  phone: v.optional(v.string()),
  email: v.optional(v.string()),
  payment_source: PaymentSourceResource,
})

export type CustomerResource = v.InferOutput<typeof CustomerResource>

/** What webhooks are told of a charge, as `charge.` and the change: the outcome of each of its attempts, and `updated`: its words (docs/webhooks.md). */
export const CHARGE_CHANGES = [
  'authorised',
  'captured',
  'cancelled',
  'expired',
  'refunded',
  'failed',
  'capture_failed',
  'cancel_failed',
  'refund_failed',
  'authentication_required',
  'authenticated',
  'not_authenticated',
  'updated',
] as const

export const CHARGE_STATUSES = [
  'processing',
  'pre_authentication_pending',
  'pending',
  'complete',
  'cancelled',
  'failed',
  'not_authenticated',
  'refunded',
] as const

/** One movement of money, with its result (contract §4.1, "Transaction"). */
const TransactionResource = v.strictObject({
  _id: Identifier,
  /** `3ds`: the authentication of the sale that follows it. `reversal`: the gateway said later that it did not carry out the transaction that `reverses` names, which is `failed` since. */
  type: v.picklist(['3ds', 'sale', 'capture', 'cancel', 'refund', 'reversal']),
  reverses: v.optional(Identifier),
  /** `gateway`: nobody asked for it here; the gateway told of it. Absent of any other. */
  origin: v.optional(v.literal('gateway')),
  status: v.picklist(['pending', 'complete', 'cancelled', 'failed']),
  amount: v.number(),
  currency: v.string(),
  amount_fee: nullableNumber,
  amount_surcharge: nullableNumber,
  amount_original: nullableNumber,
  gateway_specific_code: nullableText,
  gateway_specific_description: nullableText,
  error_message: nullableText,
  error_code: nullableText,
  status_code: nullableText,
  status_code_description: nullableText,
  include_authorization: v.optional(v.boolean()),
  _source_ip_address: v.optional(nullableText),
  external_id: nullableText,
  external_reference: nullableText,
  created_at: timestamp,
  pended_at: v.optional(timestamp),
})

/** The charge on the wire (contract §4.1, "Charge"). Amounts are numbers in units of the currency. */
export const ChargeResource = v.strictObject({
  _id: Identifier,
  type: v.literal('financial'),
  status: v.picklist(CHARGE_STATUSES),
  capture: v.boolean(),
  authorization: v.boolean(),
  archived: v.boolean(),
  one_off: v.boolean(),
  amount: v.number(),
  currency: v.string(),
  reference: nullableText,
  description: nullableText,
  statement_descriptor: nullableText,
  metadata: v.record(v.string(), v.string()),
  items: v.array(v.never()),
  transfer: v.strictObject({ items: v.array(v.never()) }),
  schedule: v.strictObject({ stopped: v.boolean() }),
  statistics: v.strictObject({
    total_refunded_amount: v.number(),
    full_refund: v.boolean(),
    need_sync: v.boolean(),
    /** What card holders dispute of it, disputes that were won aside. */
    total_disputed_amount: v.number(),
    /** What was taken back from the merchant by disputes. */
    total_charged_back_amount: v.number(),
  }),
  customer: CustomerResource,
  transactions: v.array(TransactionResource),
  /** Absent where no bank was asked. */
  _3ds: v.optional(AuthenticationResource),
  company_id: Identifier,
  amount_surcharge: nullableNumber,
  amount_original: nullableNumber,
  external_id: nullableText,
  _source_ip_address: nullableText,
  created_at: timestamp,
  updated_at: timestamp,
  __v: v.number(),
})
export type ChargeResource = v.InferOutput<typeof ChargeResource>
