import * as v from 'valibot'
import { AGREEMENT_TYPES, PURPOSES, REASON_CODES } from './agreement-request.ts'
import { Identifier } from '../fields/identifier.ts'
import { FREQUENCIES } from './payment-terms.ts'

const timestamp = v.pipe(v.string(), v.isoTimestamp())
const day = v.pipe(v.string(), v.isoDate())
const nullableText = v.nullable(v.string())

export const AGREEMENT_STATUSES = ['created', 'active', 'suspended', 'cancelled', 'expired'] as const

/** What can stand in an agreement's history, and after `agreement.` in the type of an event (contract §6.4, §6.7). */
export const AGREEMENT_CHANGES = [
  'created',
  'accepted',
  'declined',
  'lapsed',
  'amended',
  'amendment_requested',
  'amendment_declined',
  'amendment_lapsed',
  'suspended',
  'released',
  'cancelled',
  'expired',
  'collection_skipped',
] as const

/** The account's number by its last three digits. */
const MaskedAccount = v.strictObject({ bsb: v.string(), account_number: v.string() })

const DebtorResource = v.strictObject({
  name: v.string(),
  type: v.picklist(['person', 'organisation']),
  account: v.optional(MaskedAccount),
  pay_id: v.optional(
    v.strictObject({ type: v.picklist(['EMAIL', 'PHONE', 'ABN', 'ORGANISATION']), value: v.string() }),
  ),
})
const CreditorResource = v.strictObject({ name: v.string(), account: MaskedAccount })

const paymentOnDay = v.strictObject({ date: day, amount: v.number() })

export const PaymentTermsResource = v.strictObject({
  amount_type: v.picklist(['fixed', 'variable', 'usage', 'balance']),
  amount: v.nullable(v.number()),
  maximum_amount: v.nullable(v.number()),
  frequency: v.nullable(v.picklist(FREQUENCIES)),
  count_per_period: v.nullable(v.number()),
  point_in_period: v.nullable(v.number()),
  first_payment: v.nullable(paymentOnDay),
  last_payment: v.nullable(paymentOnDay),
})
export type PaymentTermsResource = v.InferOutput<typeof PaymentTermsResource>

const AmendmentResource = v.strictObject({
  payment_terms: v.optional(PaymentTermsResource),
  end_date: v.optional(day),
  max_number_of_payments: v.optional(v.number()),
  response_required_by: timestamp,
  requested_at: timestamp,
})

const HistoryEntry = v.strictObject({
  type: v.picklist(AGREEMENT_CHANGES),
  status: v.picklist(AGREEMENT_STATUSES),
  version: v.number(),
  by: v.picklist(['creditor', 'debtor', 'service']),
  at: timestamp,
  reason_code: v.optional(v.picklist(REASON_CODES)),
  reason: v.optional(v.string()),
})

/** An agreement on the wire (contract §6). `history` is there when it is read by its id. */
export const AgreementResource = v.strictObject({
  _id: Identifier,
  type: v.picklist(AGREEMENT_TYPES),
  status: v.picklist(AGREEMENT_STATUSES),
  version: v.number(),
  description: v.string(),
  short_description: nullableText,
  purpose: v.picklist(PURPOSES),
  start_date: day,
  end_date: v.nullable(day),
  debtor: DebtorResource,
  creditor: CreditorResource,
  payment_terms: PaymentTermsResource,
  max_number_of_payments: v.nullable(v.number()),
  response_required_by: timestamp,
  pending_amendment: v.nullable(AmendmentResource),
  suspended_by: v.nullable(v.picklist(['creditor', 'debtor', 'both'])),
  reason_code: v.nullable(v.picklist(REASON_CODES)),
  reason: nullableText,
  reference: nullableText,
  metadata: v.record(v.string(), v.string()),
  next_collection_date: v.nullable(day),
  history: v.optional(v.array(HistoryEntry)),
  created_at: timestamp,
  updated_at: timestamp,
})
export type AgreementResource = v.InferOutput<typeof AgreementResource>

/** What a request that would be taken is answered with. `resolved_name`: whose the network says the debtor's account is. */
export const AgreementValidationResource = v.strictObject({
  valid: v.literal(true),
  resolved_name: nullableText,
  start_date: day,
  response_required_by: timestamp,
})
export type AgreementValidationResource = v.InferOutput<typeof AgreementValidationResource>
