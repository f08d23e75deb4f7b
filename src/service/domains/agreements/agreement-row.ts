import { integer, jsonb, nullable, text, textOf, timestamptz } from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import type { Agreement, AgreementFacts, AgreementState, Amendment, Reason } from './agreement.ts'
import type { Terms } from './terms/terms.ts'

/** An amendment as JSON has it: its times are texts. */
type StoredAmendment = Omit<Amendment, 'responseRequiredBy' | 'requestedAt'> & {
  responseRequiredBy: string
  requestedAt: string
}

/** What of an agreement can change, as an entry of its history keeps it. */
export type StoredFacts = Omit<AgreementFacts, 'pendingAmendment'> & {
  pendingAmendment: StoredAmendment | null
}

/** The columns of what can change. */
export const factColumns = {
  status: textOf<AgreementState>(),
  version: integer,
  description: text,
  short_description: nullable(text),
  end_date: nullable(text),
  terms: jsonb<Terms>(),
  most_payments: nullable(integer),
  pending_amendment: nullable(jsonb<StoredAmendment>()),
  suspended_by: nullable(textOf<NonNullable<Agreement['suspendedBy']>>()),
  reason: nullable(jsonb<Reason>()),
  reference: nullable(text),
  metadata: jsonb<Readonly<Record<string, string>>>(),
  next_due_on: nullable(text),
  due_days_done_until: nullable(text),
}

/** The columns of what never changes. */
export const givenColumns = {
  id: text,
  merchant_id: text,
  type: textOf<Agreement['type']>(),
  purpose: textOf<Agreement['purpose']>(),
  start_date: text,
  debtor: jsonb<Agreement['debtor']>(),
  creditor: jsonb<Agreement['creditor']>(),
  response_required_by: timestamptz,
}

/** The columns of an agreement as a statement returns it. What is sealed is read apart. */
export const agreementColumns = {
  ...givenColumns,
  ...factColumns,
  revision: integer,
  created_at: timestamptz,
  updated_at: timestamptz,
}
export type AgreementRow = ValuesOf<typeof agreementColumns>

export function toAgreement(row: AgreementRow): Agreement {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    type: row.type,
    status: row.status,
    version: row.version,
    revision: row.revision,
    description: row.description,
    shortDescription: row.short_description,
    purpose: row.purpose,
    startDate: row.start_date,
    endDate: row.end_date,
    debtor: row.debtor,
    creditor: row.creditor,
    terms: row.terms,
    maxPayments: row.most_payments,
    responseRequiredBy: row.response_required_by,
    pendingAmendment: toAmendment(row.pending_amendment),
    suspendedBy: row.suspended_by,
    reason: row.reason,
    reference: row.reference,
    metadata: row.metadata,
    nextDueOn: row.next_due_on,
    dueDaysDoneUntil: row.due_days_done_until,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** What can change of an agreement, and nothing else of it. */
function factsOf(agreement: AgreementFacts): AgreementFacts {
  return {
    status: agreement.status,
    version: agreement.version,
    description: agreement.description,
    shortDescription: agreement.shortDescription,
    endDate: agreement.endDate,
    terms: agreement.terms,
    maxPayments: agreement.maxPayments,
    pendingAmendment: agreement.pendingAmendment,
    suspendedBy: agreement.suspendedBy,
    reason: agreement.reason,
    reference: agreement.reference,
    metadata: agreement.metadata,
    nextDueOn: agreement.nextDueOn,
    dueDaysDoneUntil: agreement.dueDaysDoneUntil,
  }
}

/** As the columns of the agreement's row hold it. */
export function toFactValues(facts: AgreementFacts): ValuesOf<typeof factColumns> {
  return {
    status: facts.status,
    version: facts.version,
    description: facts.description,
    short_description: facts.shortDescription,
    end_date: facts.endDate,
    terms: facts.terms,
    most_payments: facts.maxPayments,
    pending_amendment: toStoredAmendment(facts.pendingAmendment),
    suspended_by: facts.suspendedBy,
    reason: facts.reason,
    reference: facts.reference,
    metadata: facts.metadata,
    next_due_on: facts.nextDueOn,
    due_days_done_until: facts.dueDaysDoneUntil,
  }
}

export function toStoredFacts(facts: AgreementFacts): StoredFacts {
  return { ...factsOf(facts), pendingAmendment: toStoredAmendment(facts.pendingAmendment) }
}

export function toFacts(stored: StoredFacts): AgreementFacts {
  return { ...stored, pendingAmendment: toAmendment(stored.pendingAmendment) }
}

function toAmendment(stored: StoredAmendment | null): Amendment | null {
  if (stored === null) return null
  const { responseRequiredBy, requestedAt } = stored
  return {
    ...stored,
    responseRequiredBy: new Date(responseRequiredBy),
    requestedAt: new Date(requestedAt),
  }
}

function toStoredAmendment(amendment: Amendment | null): StoredAmendment | null {
  if (amendment === null) return null
  const { responseRequiredBy, requestedAt } = amendment
  return {
    ...amendment,
    responseRequiredBy: responseRequiredBy.toISOString(),
    requestedAt: requestedAt.toISOString(),
  }
}
