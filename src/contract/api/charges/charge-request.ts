import * as v from 'valibot'
import { Amount, Currency } from '../fields/amount.ts'
import { EmailAddress } from '../fields/email-address.ts'
import { onlyKnown } from '../fields/only-known.ts'
import { PostalAddress } from '../fields/postal-address.ts'
import { text } from '../fields/text.ts'

const Customer = v.strictObject({
  first_name: v.optional(text(100)),
  last_name: v.optional(text(100)),
  phone: v.optional(text(40)),
  email: v.optional(EmailAddress),
  payment_source: v.optional(PostalAddress),
})

/** Whether the money is taken at once: in JSON true or false, in a query its text. */
const Capture = v.pipe(
  v.union([v.boolean(), v.picklist(['true', 'false'])], 'capture must be true or false'),
  v.transform((given) => String(given) === 'true'),
)

/**
 * Body of `POST /v1/charges` (contract §4). Strict: what is misspelt would otherwise be ignored. An empty `capture` is refused
 * where other empty fields count as left out, as it could be a hold that became a sale.
 */
export const ChargeRequest = v.strictObject({
  amount: Amount,
  currency: Currency,
  capture: v.exactOptional(Capture),
  token: text(64),
  reference: v.optional(text(250)),
  description: v.optional(text(1000)),
  customer: v.optional(Customer),
})
export type ChargeRequest = v.InferOutput<typeof ChargeRequest>

/** Query of `POST /v1/charges`: `capture=false` holds the funds; absent here and in the body, or `true`, takes them at once. */
export const ChargeQuery = v.strictObject({ capture: v.exactOptional(Capture) })

/** Body of a capture. With a misspelt or empty `amount` everything would be captured, so both are refused. */
export const CaptureRequest = v.strictObject({ amount: v.exactOptional(Amount) }, onlyKnown('amount'))

/** Body of a refund, strict for the same reason. */
export const RefundRequest = v.strictObject(
  { amount: v.exactOptional(Amount), reference: v.optional(text(250)) },
  onlyKnown('amount and reference'),
)
export type RefundRequest = v.InferOutput<typeof RefundRequest>
