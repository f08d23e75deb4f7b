import * as v from 'valibot'

const Transaction = v.object({
  type: v.string(),
  status: v.string(),
  amount: v.number(),
  error_code: v.optional(v.nullable(v.string())),
  error_message: v.optional(v.nullable(v.string())),
})

/** What this shop reads of a charge. Amounts are in dollars, as the card service writes them. */
export const Charge = v.object({
  _id: v.string(),
  status: v.string(),
  amount: v.number(),
  currency: v.string(),
  reference: v.nullable(v.string()),
  created_at: v.string(),
  customer: v.object({
    payment_source: v.object({ card_scheme: v.string(), card_number_last4: v.string() }),
  }),
  transactions: v.array(Transaction),
  statistics: v.object({ total_refunded_amount: v.number() }),
  /** What the card holder's bank asks; the page shows it with the token, which only the answer to a new charge has. */
  _3ds: v.optional(v.object({ id: v.string(), token: v.optional(v.string()) })),
})
export type Charge = v.InferOutput<typeof Charge>

/** A page of charges, newest first, and the cursor of the next page. */
export const ChargePage = v.object({
  data: v.array(Charge),
  next: v.optional(v.nullable(v.string()), null),
})
export type ChargePage = v.InferOutput<typeof ChargePage>

const SCHEMES: Record<string, string> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' }

/** The card of a charge for people: `Visa •••• 0026`. */
export function cardOf({ customer }: Charge): string {
  const { card_scheme: scheme, card_number_last4: last4 } = customer.payment_source
  return `${SCHEMES[scheme] ?? scheme} •••• ${last4}`
}

/** A charge as the back office shows it, with what was captured, given back and may still be, and the reason of a failure. */
export function toChargeRow(charge: Charge) {
  const captured = charge.transactions.find(({ type, status }) => type === 'capture' && status === 'complete')
  const refunded = charge.statistics.total_refunded_amount
  const failed = charge.transactions.find(({ status }) => status === 'failed')
  return {
    id: charge._id,
    status: charge.status,
    amount: charge.amount,
    captured: captured?.amount ?? null,
    refunded,
    refundable: charge.status === 'complete' ? difference(captured?.amount ?? charge.amount, refunded) : 0,
    currency: charge.currency,
    reference: charge.reference,
    created_at: charge.created_at,
    card: cardOf(charge),
    reason: failed?.error_message ?? null,
  }
}

/** Dollars less dollars, reckoned in cents. */
const difference = (one: number, other: number): number =>
  (Math.round(one * 100) - Math.round(other * 100)) / 100
