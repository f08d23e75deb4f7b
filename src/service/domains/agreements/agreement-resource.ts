import type {
  AgreementResource,
  AgreementValidationResource,
} from '../../../contract/api/agreements/agreement-resource.ts'
import type { Agreement, Amendment, NewAgreement, Reason, RecordedChange } from './agreement.ts'
import { toTermsResource } from './terms.ts'

/** An agreement → its wire form; with its history if it is read by its id. */
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
  agreement: NewAgreement
  resolvedName: string | null
}): AgreementValidationResource {
  return {
    valid: true,
    resolved_name: resolvedName,
    start_date: agreement.startDate,
    response_required_by: agreement.responseRequiredBy.toISOString(),
  }
}

/** An agreement as it was right after a change. */
export function toAgreementAfter(agreement: Agreement, change: RecordedChange): AgreementResource {
  return toAgreementResource({
    ...agreement,
    ...change.facts,
    revision: change.revision,
    updatedAt: change.at,
  })
}

/** The ETag of an agreement; every change changes it. */
export function entityTagOf({ revision }: Pick<Agreement, 'revision'>): string {
  return `"${String(revision)}"`
}
