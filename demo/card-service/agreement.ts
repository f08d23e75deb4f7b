import * as v from 'valibot'

/** Dollars, as the card service writes them, to cents. */
export const Cents = v.pipe(
  v.number(),
  v.transform((dollars) => Math.round(dollars * 100)),
)

const PaymentOnDay = v.nullable(v.object({ date: v.string(), amount: Cents }))

/** What is paid and how often; amounts in cents, days as `2026-11-22`. */
export const Terms = v.object({
  amount_type: v.string(),
  amount: v.nullable(Cents),
  maximum_amount: v.nullable(Cents),
  frequency: v.nullable(v.string()),
  count_per_period: v.nullable(v.number()),
  point_in_period: v.nullable(v.number()),
  first_payment: PaymentOnDay,
  last_payment: PaymentOnDay,
})
export type Terms = v.InferOutput<typeof Terms>

/** What this shop reads of an agreement. */
export const Agreement = v.object({
  _id: v.string(),
  status: v.string(),
  description: v.string(),
  start_date: v.string(),
  debtor: v.object({
    name: v.string(),
    account: v.optional(v.object({ bsb: v.string(), account_number: v.string() })),
    pay_id: v.optional(v.object({ value: v.string() })),
  }),
  payment_terms: Terms,
  response_required_by: v.string(),
  pending_amendment: v.nullable(
    v.object({ payment_terms: v.optional(Terms), response_required_by: v.string() }),
  ),
  suspended_by: v.nullable(v.string()),
  next_collection_date: v.nullable(v.string()),
  /** There when the agreement is read by its id. */
  history: v.optional(v.array(v.object({ type: v.string(), by: v.string() })), []),
  created_at: v.string(),
})
export type Agreement = v.InferOutput<typeof Agreement>

/** A page of agreements, newest first, and the cursor of the next page. */
export const AgreementPage = v.object({
  data: v.array(Agreement),
  next: v.optional(v.nullable(v.string()), null),
})
export type AgreementPage = v.InferOutput<typeof AgreementPage>

/** What this shop reads of a payment of an agreement. */
export const AgreementPayment = v.object({
  _id: v.string(),
  status: v.string(),
  amount: Cents,
  description: v.nullable(v.string()),
  due_on: v.nullable(v.string()),
  failure: v.nullable(v.object({ code: v.string() })),
  created_at: v.string(),
})
export type AgreementPayment = v.InferOutput<typeof AgreementPayment>
