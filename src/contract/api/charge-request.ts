import * as v from 'valibot'
import { Amount, Currency } from './amount.ts'
import { EmailAddress } from './email-address.ts'
import { onlyKnown } from './only-known.ts'
import { text } from './text.ts'

const CustomerPaymentSource = v.object({
  address_line1: v.optional(text(200)),
  address_line2: v.optional(text(200)),
  city: v.optional(text(100)),
  state: v.optional(text(100)),
  postcode: v.optional(text(20)),
  country: v.optional(text(100)),
})

const Customer = v.object({
  first_name: v.optional(text(100)),
  last_name: v.optional(text(100)),
  phone: v.optional(text(40)),
  email: v.optional(EmailAddress),
  payment_source: v.optional(CustomerPaymentSource),
})

/** Body of `POST /v1/charges` (contract §4). */
export const ChargeRequest = v.object({
  amount: Amount,
  currency: Currency,
  token: text(64),
  reference: v.optional(text(250)),
  description: v.optional(text(1000)),
  customer: v.optional(Customer),
})
export type ChargeRequest = v.InferOutput<typeof ChargeRequest>

/** Query of `POST /v1/charges`: `capture=false` holds the funds; absent or `true` captures them at once. */
export const ChargeQuery = v.strictObject({
  capture: v.pipe(
    v.optional(v.picklist(['true', 'false'], "capture must be 'true' or 'false'"), 'true'),
    v.transform((value) => value === 'true'),
  ),
})

/** Body of a capture. Strict: with a misspelt `amount` everything would otherwise be captured. */
export const CaptureRequest = v.strictObject({ amount: v.optional(Amount) }, onlyKnown('amount'))

/** Body of a refund, strict for the same reason. */
export const RefundRequest = v.strictObject(
  { amount: v.optional(Amount), reference: v.optional(text(250)) },
  onlyKnown('amount and reference'),
)
export type RefundRequest = v.InferOutput<typeof RefundRequest>
