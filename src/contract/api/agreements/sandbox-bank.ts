import * as v from 'valibot'
import { PAYMENT_FAILURES } from './agreement-payment-resource.ts'
import { AGREEMENT_TYPES, PURPOSES } from './agreement-request.ts'
import { AGREEMENT_STATUSES, PaymentTermsResource } from './agreement-resource.ts'
import { Identifier } from '../fields/identifier.ts'
import { onlyKnown } from '../fields/only-known.ts'

const timestamp = v.pipe(v.string(), v.isoTimestamp())
const day = v.pipe(v.string(), v.isoDate())

const PAYER_ANSWERS = [
  'accept',
  'decline',
  'suspend',
  'release',
  'cancel',
  'accept_amendment',
  'decline_amendment',
] as const

/** Body of `POST /sandbox/bank/agreements/{id}/answers` (contract §6.8). */
export const SandboxBankAnswer = v.strictObject(
  { answer: v.picklist(PAYER_ANSWERS, `must be one of ${PAYER_ANSWERS.join(', ')}`) },
  onlyKnown('answer'),
)

/** What a payer is asked to agree to. */
const offer = {
  description: v.string(),
  payment_terms: PaymentTermsResource,
  start_date: day,
  end_date: v.nullable(day),
  max_number_of_payments: v.nullable(v.number()),
  response_required_by: timestamp,
}

/** An agreement as the payer reads it in the sandbox's bank (contract §6.8). `payments`: the last ones, newest first. */
export const SandboxBankAgreement = v.strictObject({
  _id: Identifier,
  status: v.picklist(AGREEMENT_STATUSES),
  suspended_by: v.nullable(v.picklist(['creditor', 'debtor'])),
  type: v.picklist(AGREEMENT_TYPES),
  purpose: v.picklist(PURPOSES),
  creditor: v.strictObject({ name: v.string() }),
  debtor: v.strictObject({ name: v.string() }),
  ...offer,
  pending_amendment: v.nullable(v.strictObject(offer)),
  payments: v.array(
    v.strictObject({
      amount: v.number(),
      reference: v.string(),
      description: v.nullable(v.string()),
      status: v.picklist(['settled', 'failed', 'under_investigation']),
      failure: v.nullable(v.picklist(PAYMENT_FAILURES)),
      created_at: timestamp,
    }),
  ),
  created_at: timestamp,
})
export type SandboxBankAgreement = v.InferOutput<typeof SandboxBankAgreement>
