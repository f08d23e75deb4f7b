import * as v from 'valibot'
import { Creditor, Debtor } from './agreement-party.ts'
import { Amount } from '../fields/amount.ts'
import { Metadata, MetadataChange } from '../fields/metadata.ts'
import { onlyKnown } from '../fields/only-known.ts'
import { Moment } from '../fields/moment.ts'
import { Day, PaymentTerms } from './payment-terms.ts'
import { singleLineText } from '../fields/single-line-text.ts'

export const AGREEMENT_TYPES = ['oneoff', 'recurring', 'adhoc'] as const

export const PURPOSES = [
  'mortgage',
  'utility',
  'loan',
  'dependant_support',
  'gambling',
  'retail',
  'salary',
  'personal',
  'government',
  'pension',
  'tax',
  'other',
] as const

export const REASON_CODES = [
  'customer_request',
  'contract_ended',
  'contract_amended',
  'dispute',
  'fraud_suspected',
  'account_closed',
  'payer_deceased',
  'not_specified',
] as const

const MaxNumberOfPayments = v.pipe(
  v.number('must be a whole number from 2 to 10000'),
  v.integer('must be a whole number from 2 to 10000'),
  v.minValue(2, 'must be a whole number from 2 to 10000'),
  v.maxValue(10_000, 'must be a whole number from 2 to 10000'),
)

/** Whether terms have neither a frequency nor what goes with one. */
export const hasNoFrequency = ({
  frequency,
  count_per_period: count,
  point_in_period: point,
  first_payment: first,
  last_payment: last,
}: PaymentTerms) => [frequency, count, point, first, last].every((one) => one === undefined)

/** Body of `POST /agreements` and `POST /agreements/validate` (contract §6.3). */
export const AgreementRequest = v.pipe(
  v.strictObject(
    {
      type: v.picklist(AGREEMENT_TYPES, 'must be oneoff, recurring or adhoc'),
      description: singleLineText(140),
      short_description: v.optional(singleLineText(35)),
      purpose: v.picklist(PURPOSES, `must be one of ${PURPOSES.join(', ')}`),
      start_date: v.optional(Day),
      end_date: v.optional(Day),
      debtor: Debtor,
      creditor: Creditor,
      payment_terms: PaymentTerms,
      max_number_of_payments: v.optional(MaxNumberOfPayments),
      response_required_by: v.optional(Moment),
      reference: v.optional(singleLineText(64)),
      metadata: v.optional(Metadata),
    },
    onlyKnown(
      'type, description, short_description, purpose, start_date, end_date, debtor, creditor, payment_terms, max_number_of_payments, response_required_by, reference and metadata',
    ),
  ),
  v.forward(
    v.check(
      ({ type, payment_terms: terms }) => type !== 'recurring' || terms.frequency !== undefined,
      'must have a frequency when the agreement is recurring',
    ),
    ['payment_terms'],
  ),
  v.forward(
    v.check(
      ({ type, payment_terms: terms }) => type === 'recurring' || hasNoFrequency(terms),
      'may have a frequency, and what goes with it, only when the agreement is recurring',
    ),
    ['payment_terms'],
  ),
  v.forward(
    v.check(
      ({ type, max_number_of_payments: max }) => type === 'adhoc' || max === undefined,
      'may be given for an adhoc agreement only',
    ),
    ['max_number_of_payments'],
  ),
)
export type AgreementRequest = v.InferOutput<typeof AgreementRequest>

/** Body of `PATCH /agreements/{id}`: what takes effect at once, or what the debtor is asked for, not both. */
export const AmendmentRequest = v.pipe(
  v.strictObject(
    {
      description: v.optional(singleLineText(140)),
      short_description: v.optional(singleLineText(35)),
      reference: v.optional(singleLineText(64)),
      metadata: v.optional(MetadataChange),
      payment_terms: v.optional(PaymentTerms),
      end_date: v.optional(Day),
      max_number_of_payments: v.optional(MaxNumberOfPayments),
      response_required_by: v.optional(Moment),
    },
    onlyKnown(
      'description, short_description, reference, metadata, payment_terms, end_date, max_number_of_payments and response_required_by',
    ),
  ),
  v.check((request) => Object.keys(request).length > 0, 'must change something'),
  v.check(
    (request) => !(changesAtOnce(request) && changesTerms(request)),
    'changes what the debtor is asked for, and what it is not: send two requests',
  ),
  v.forward(
    v.check(
      (request) => request.response_required_by === undefined || changesTerms(request),
      'may be given only with what the debtor is asked for',
    ),
    ['response_required_by'],
  ),
)
export type AmendmentRequest = v.InferOutput<typeof AmendmentRequest>

interface AnyAmendment {
  description?: unknown
  short_description?: unknown
  reference?: unknown
  metadata?: unknown
  payment_terms?: unknown
  end_date?: unknown
  max_number_of_payments?: unknown
}

function changesAtOnce({
  description,
  short_description: short,
  reference,
  metadata,
}: AnyAmendment): boolean {
  return [description, short, reference, metadata].some((one) => one !== undefined)
}

/** Whether an amendment needs the debtor's answer. */
export function changesTerms({
  payment_terms: terms,
  end_date: end,
  max_number_of_payments: max,
}: AnyAmendment): boolean {
  return [terms, end, max].some((one) => one !== undefined)
}

/** Body of `POST /agreements/{id}/payments` (contract §6.5). */
export const AgreementPaymentRequest = v.strictObject(
  {
    amount: Amount,
    reference: singleLineText(64),
    description: v.optional(singleLineText(280)),
    last_payment: v.optional(v.boolean('must be true or false'), false),
  },
  onlyKnown('amount, reference, description and last_payment'),
)
export type AgreementPaymentRequest = v.InferOutput<typeof AgreementPaymentRequest>
