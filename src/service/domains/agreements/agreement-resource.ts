import type {
  AgreementResource,
  AgreementValidationResource,
  PaymentTermsResource,
} from '../../../contract/api/agreements/agreement-resource.ts'
import { toAmount } from '../../platform/money.ts'
import type { Agreement, Amendment, Reason } from './agreement.ts'
import type { RecordedChange } from './change.ts'
import type { Terms } from './terms/terms.ts'
import type { AgreementStore } from './agreement-store.ts'

/** An agreement → its wire form; `history` is there when it is read by its id. */
export function toAgreementResource(
  agreement: Agreement,
  history?: readonly RecordedChange[],
): AgreementResource {
  return {
    _id: agreement.id,
    type: agreement.type,
    status: agreement.status,
    version: agreement.version,
    description: agreement.description,
    short_description: agreement.shortDescription,
    purpose: agreement.purpose,
    start_date: agreement.startDate,
    end_date: agreement.endDate,
    debtor: agreement.debtor,
    creditor: agreement.creditor,
    payment_terms: toTermsResource(agreement.terms),
    max_number_of_payments: agreement.maxPayments,
    response_required_by: agreement.responseRequiredBy.toISOString(),
    pending_amendment: toAmendmentResource(agreement.pendingAmendment),
    suspended_by: agreement.suspendedBy,
    reason_code: agreement.reason?.code ?? null,
    reason: agreement.reason?.text ?? null,
    reference: agreement.reference,
    metadata: { ...agreement.metadata },
    next_collection_date: agreement.status === 'active' ? agreement.nextDueOn : null,
    ...(history !== undefined && { history: history.map(toHistoryEntry) }),
    created_at: agreement.createdAt.toISOString(),
    updated_at: agreement.updatedAt.toISOString(),
  }
}

export function toTermsResource(terms: Terms): PaymentTermsResource {
  return {
    amount_type: terms.amountType,
    amount: terms.amount === null ? null : toAmount(terms.amount),
    maximum_amount: terms.maximumAmount === null ? null : toAmount(terms.maximumAmount),
    frequency: terms.frequency,
    count_per_period: terms.countPerPeriod,
    point_in_period: terms.pointInPeriod,
    first_payment: toPaymentOnDay(terms.firstPayment),
    last_payment: toPaymentOnDay(terms.lastPayment),
  }
}

function toPaymentOnDay(payment: Terms['firstPayment']): PaymentTermsResource['first_payment'] {
  return payment === null ? null : { date: payment.date, amount: toAmount(payment.amount) }
}

function toAmendmentResource(amendment: Amendment | null): AgreementResource['pending_amendment'] {
  if (amendment === null) return null
  const { terms, endDate, maxPayments, responseRequiredBy, requestedAt } = amendment
  return {
    ...(terms !== null && { payment_terms: toTermsResource(terms) }),
    ...(endDate !== null && { end_date: endDate }),
    ...(maxPayments !== null && { max_number_of_payments: maxPayments }),
    response_required_by: responseRequiredBy.toISOString(),
    requested_at: requestedAt.toISOString(),
  }
}

function toHistoryEntry(change: RecordedChange): NonNullable<AgreementResource['history']>[number] {
  const { type, by, facts, reason, at } = change
  return {
    type,
    status: facts.status,
    version: facts.version,
    by,
    at: at.toISOString(),
    ...toReasonEntry(reason),
  }
}

function toReasonEntry(reason: Reason | null): { reason_code?: Reason['code']; reason?: string } {
  if (reason === null) return {}
  return { reason_code: reason.code, ...(reason.text !== null && { reason: reason.text }) }
}

/** The answer to a request that would be accepted. */
export function toValidationResource({
  agreement,
  resolvedName,
}: {
  agreement: Pick<Agreement, 'startDate' | 'responseRequiredBy'>
  resolvedName: string | null
}): AgreementValidationResource {
  return {
    valid: true,
    resolved_name: resolvedName,
    start_date: agreement.startDate,
    response_required_by: agreement.responseRequiredBy.toISOString(),
  }
}

/** The agreement of an event on the wire, as it was right after it; the event bears the id of the history's entry. */
export type AgreementAsOfEvent = (event: { id: string; subject: string }) => Promise<AgreementResource>

export function asOfEventBy({
  find,
  findChange,
}: Pick<AgreementStore, 'find' | 'findChange'>): AgreementAsOfEvent {
  return async ({ id, subject }) => {
    const [agreement, then] = await Promise.all([find(subject), findChange(id)])
    if (agreement === null || then?.agreementId !== subject) throw new Error(`event ${id} is of no agreement`)
    return toAgreementResource({ ...agreement, ...then.facts, revision: then.revision, updatedAt: then.at })
  }
}
