import * as v from 'valibot'
import { Cents, Terms } from '../card-service/agreement.ts'

const named = v.object({ name: v.string() })

/** What a payer is asked to agree to. */
const Offer = v.object({
  description: v.string(),
  payment_terms: Terms,
  start_date: v.string(),
  end_date: v.nullable(v.string()),
  max_number_of_payments: v.nullable(v.number()),
  response_required_by: v.string(),
})
export type Offer = v.InferOutput<typeof Offer>

/** An agreement as the payer's bank has it; the newest payment is the first. */
export const Mandate = v.object({
  ...Offer.entries,
  _id: v.string(),
  status: v.string(),
  suspended_by: v.nullable(v.string()),
  type: v.string(),
  creditor: named,
  debtor: named,
  pending_amendment: v.nullable(Offer),
  payments: v.array(
    v.object({ status: v.string(), amount: Cents, reference: v.string(), created_at: v.string() }),
  ),
})
export type Mandate = v.InferOutput<typeof Mandate>
