import * as v from 'valibot'
import { Amount, Currency } from '../fields/amount.ts'
import { EmailAddress } from '../fields/email-address.ts'
import { Metadata, MetadataChange } from '../fields/metadata.ts'
import { onlyKnown } from '../fields/only-known.ts'
import { PostalAddress } from '../fields/postal-address.ts'
import { StatementDescriptor } from '../fields/statement-descriptor.ts'
import { text, textOrNone } from '../fields/text.ts'
import { AUTHENTICATION_WISHES, AuthenticationMade, EXEMPTIONS } from './authentication.ts'

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
  statement_descriptor: v.optional(StatementDescriptor),
  metadata: v.optional(Metadata),
  customer: v.optional(Customer),
  authentication: v.optional(v.picklist(AUTHENTICATION_WISHES, 'must be automatic, challenge or never')),
  exemption: v.optional(v.picklist(EXEMPTIONS, `must be ${EXEMPTIONS.join(', ')}`)),
  authentication_result: v.optional(AuthenticationMade),
})
export type ChargeRequest = v.InferOutput<typeof ChargeRequest>

/** What a merchant may change of its own words: body of `PATCH /v1/charges/{id}` and of `PATCH /v1/checkouts/{id}`. */
export const WordsChange = v.pipe(
  v.strictObject(
    {
      reference: v.exactOptional(textOrNone(250)),
      description: v.exactOptional(textOrNone(1000)),
      metadata: v.optional(MetadataChange),
    },
    onlyKnown('reference, description and metadata'),
  ),
  v.check((change) => Object.keys(change).length > 0, 'must hold reference, description or metadata'),
)
export type WordsChange = v.InferOutput<typeof WordsChange>

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
