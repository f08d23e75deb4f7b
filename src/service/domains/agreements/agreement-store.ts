import type { Queries } from '../../platform/database/database.ts'
import { isConflict } from '../../platform/database/faults.ts'
import {
  bool,
  bytea,
  integer,
  jsonb,
  notNull,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { SqlTypes, ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { eventSql } from '../../platform/events.ts'
import type { SealedText } from '../../platform/vault/vault.ts'
import type {
  Agreement,
  AgreementChange,
  AgreementFacts,
  AgreementState,
  Amendment,
  NewAgreement,
  NewChange,
  Party,
  Reason,
  RecordedChange,
} from './agreement.ts'
import type { Terms } from './terms.ts'

/** An amendment as JSON: its times are texts. */
type StoredAmendment = Omit<Amendment, 'responseRequiredBy' | 'requestedAt'> & {
  responseRequiredBy: string
  requestedAt: string
}

/** The fields that can change, as JSON. */
type StoredFacts = Omit<AgreementFacts, 'pendingAmendment'> & {
  pendingAmendment: StoredAmendment | null
}

/** Columns that can change. */
const factColumns = {
  status: textOf<AgreementState>(),
  version: integer,
  description: text,
  short_description: nullable(text),
  end_date: nullable(text),
  terms: jsonb<Terms>(),
  max_payments: nullable(integer),
  pending_amendment: nullable(jsonb<StoredAmendment>()),
  suspended_by: nullable(textOf<NonNullable<Agreement['suspendedBy']>>()),
  reason: nullable(jsonb<Reason>()),
  reference: nullable(text),
  metadata: jsonb<Readonly<Record<string, string>>>(),
  next_due_on: nullable(text),
  due_days_done_until: nullable(text),
}

/** Columns that never change. */
const givenColumns = {
  id: text,
  merchant_id: text,
  type: textOf<Agreement['type']>(),
  purpose: textOf<Agreement['purpose']>(),
  start_date: text,
  debtor: jsonb<Agreement['debtor']>(),
  creditor: jsonb<Agreement['creditor']>(),
  response_required_by: timestamptz,
}

/** The columns of an agreement, without the sealed accounts. */
export const agreementColumns = {
  ...givenColumns,
  ...factColumns,
  revision: integer,
  created_at: timestamptz,
  updated_at: timestamptz,
}
export const columns = Object.keys(agreementColumns).join(', ')

/**
 * The time of a change: `:now`, or just after the change before it if that is later, as the clocks of processes differ by some
 * milliseconds. So changes can be put in order by their times.
 */
export const laterThan = (updatedAt: string): string =>
  `greatest(:now::timestamptz, ${updatedAt} + interval '1 millisecond')`

const agreementById = statement({
  name: 'find_agreement',
  values: { id: text },
  columns: agreementColumns,
  sql: `SELECT ${columns} FROM agreements WHERE id = :id`,
})

const agreementToLock = statement({
  name: 'lock_agreement',
  values: { id: text, merchant_id: text },
  columns: agreementColumns,
  sql: `SELECT ${columns} FROM agreements WHERE id = :id AND merchant_id = :merchant_id FOR NO KEY UPDATE`,
})

const findSealedAccounts = statement({
  name: 'find_sealed_accounts',
  values: { id: text },
  columns: { master_key_id: notNull(text), wrapped_data_key: notNull(bytea), accounts: notNull(bytea) },
  sql: `
    SELECT master_key_id, wrapped_data_key, accounts FROM agreements
    WHERE id = :id AND master_key_id IS NOT NULL AND wrapped_data_key IS NOT NULL AND accounts IS NOT NULL`,
})

/** Each change comes with an entry of the history, an event, and an instruction to the network if it needs one. */
const changeTypes = {
  change_id: text,
  change: textOf<AgreementChange>(),
  changed_by: textOf<Party>(),
  notice_id: nullable(text),
  change_reason: nullable(jsonb<Reason>()),
  facts: jsonb<StoredFacts>(),
  instruction_id: nullable(text),
  instruction: nullable(jsonb()),
  now: timestamptz,
}

/** The rest of a statement whose first part, `changed`, returns the agreement's row, or no row if nothing changed. */
const WITH_TRACES = `
  noted AS (
    INSERT INTO agreement_changes (id, agreement_id, revision, type, changed_by, notice_id, reason, facts, created_at)
    SELECT :change_id, id, revision, :change, :changed_by, :notice_id, :change_reason, :facts, updated_at FROM changed
  ), instructed AS (
    INSERT INTO network_instructions (id, agreement_id, merchant_id, revision, content, next_at, created_at)
    SELECT :instruction_id, id, merchant_id, revision, :instruction, :now, :now FROM changed
    WHERE :instruction_id::text IS NOT NULL
  ), event AS (${eventSql({
    id: ':change_id',
    merchant: 'merchant_id',
    type: "'agreement.' || :change::text",
    subject: 'id',
    actor: "CASE :changed_by WHEN 'creditor' THEN 'merchant' ELSE :changed_by END",
    facts: "jsonb_build_object('status', status, 'version', version, 'revision', revision)",
    from: 'changed',
  })})
  SELECT ${columns} FROM changed`

const listed = (types: SqlTypes, toText: (name: string) => string): string =>
  Object.keys(types).map(toText).join(', ')

const sealedTypes = { master_key_id: text, wrapped_data_key: bytea, accounts: bytea }
const addedTypes = { ...givenColumns, ...factColumns, ...sealedTypes }

const agreementToAdd = statement({
  name: 'add_agreement',
  values: { ...addedTypes, ...changeTypes },
  columns: agreementColumns,
  sql: `
    WITH changed AS (
      INSERT INTO agreements
        (${listed(addedTypes, String)}, amendment_required_by, revision, created_at, updated_at)
      VALUES (${listed(addedTypes, (name) => `:${name}`)}, NULL, 0, :now, :now)
      RETURNING ${columns}
    ), ${WITH_TRACES}`,
})

/** No row if the agreement has changed since it was read with this revision. */
const agreementToChange = statement({
  name: 'change_agreement',
  values: {
    id: text,
    revision: integer,
    ...factColumns,
    amendment_required_by: nullable(timestamptz),
    ...changeTypes,
  },
  columns: agreementColumns,
  sql: `
    WITH changed AS (
      UPDATE agreements
      SET ${listed(factColumns, (name) => `${name} = :${name}`)}, amendment_required_by = :amendment_required_by,
          revision = revision + 1, updated_at = ${laterThan('updated_at')}
      WHERE id = :id AND revision = :revision
      RETURNING ${columns}
    ), ${WITH_TRACES}`,
})

const changeColumns = {
  id: text,
  agreement_id: text,
  revision: integer,
  type: textOf<AgreementChange>(),
  changed_by: textOf<Party>(),
  reason: nullable(jsonb<Reason>()),
  facts: jsonb<StoredFacts>(),
  created_at: timestamptz,
}

const changesOf = statement({
  name: 'list_agreement_changes',
  values: { agreement_id: text },
  columns: changeColumns,
  sql: `
    SELECT ${listed(changeColumns, String)} FROM agreement_changes WHERE agreement_id = :agreement_id ORDER BY revision`,
})

const changeById = statement({
  name: 'find_agreement_change',
  values: { id: text },
  columns: changeColumns,
  sql: `SELECT ${listed(changeColumns, String)} FROM agreement_changes WHERE id = :id`,
})

const noticeById = statement({
  name: 'find_applied_notice',
  values: { notice_id: text },
  columns: { is_applied: bool },
  sql: 'SELECT true AS is_applied FROM agreement_changes WHERE notice_id = :notice_id',
})

export async function findAgreement(queries: Queries, id: string): Promise<Agreement | null> {
  const [row] = await queries.run(agreementById, { id })
  return row === undefined ? null : toAgreement(row)
}

/** Null also if the agreement is another merchant's. */
export async function findAgreementOf(
  queries: Queries,
  merchantId: string,
  id: string,
): Promise<Agreement | null> {
  const agreement = await findAgreement(queries, id)
  return agreement?.merchantId === merchantId ? agreement : null
}

/** Finds a merchant's agreement and locks it: until the transaction ends nobody else changes or locks it. */
export async function lockAgreement(
  queries: Queries,
  merchantId: string,
  id: string,
): Promise<Agreement | null> {
  const [row] = await queries.run(agreementToLock, { id, merchant_id: merchantId })
  return row === undefined ? null : toAgreement(row)
}

/** The sealed accounts of debtor and creditor; null if they are lost with their key. */
export async function accountsOf(queries: Queries, id: string): Promise<SealedText | null> {
  const [row] = await queries.run(findSealedAccounts, { id })
  if (row === undefined) return null
  return { masterKeyId: row.master_key_id, wrappedDataKey: row.wrapped_data_key, text: row.accounts }
}

/** Adds an agreement; `accounts` is what `sealParties` returns. */
export async function addAgreement(
  queries: Queries,
  agreement: NewAgreement,
  accounts: SealedText,
  change: NewChange,
): Promise<Agreement> {
  const facts = { ...agreement, pendingAmendment: null }
  const [row] = await queries.run(agreementToAdd, {
    ...toGivenValues(agreement),
    ...toFactValues(facts),
    master_key_id: accounts.masterKeyId,
    wrapped_data_key: accounts.wrappedDataKey,
    accounts: accounts.text,
    ...toChangeValues(change, facts),
  })
  if (row === undefined) throw new Error('an agreement was added without a row')
  return toAgreement(row)
}

/**
 * Changes an agreement as it was read, in one statement with the history's entry, the event and the instruction. Null if it has changed
 * since, or the notice was applied already: read it again and decide again.
 */
export async function changeAgreement(
  queries: Queries,
  agreement: Agreement,
  change: NewChange,
): Promise<Agreement | null> {
  const after = { ...agreement, ...change.facts }
  const values = {
    id: agreement.id,
    revision: agreement.revision,
    ...toFactValues(after),
    amendment_required_by: after.pendingAmendment?.responseRequiredBy ?? null,
    ...toChangeValues(change, after),
  }
  const rows = await queries.run(agreementToChange, values).catch((error: unknown) => {
    if (isConflict(error, 'agreement_changes_by_notice')) return []
    throw error
  })
  return rows[0] === undefined ? null : toAgreement(rows[0])
}

/** All changes of an agreement, oldest first. */
export async function historyOf(queries: Queries, agreementId: string): Promise<RecordedChange[]> {
  return (await queries.run(changesOf, { agreement_id: agreementId })).map(toRecorded)
}

export async function findChange(queries: Queries, id: string): Promise<RecordedChange | null> {
  const [row] = await queries.run(changeById, { id })
  return row === undefined ? null : toRecorded(row)
}

export async function isNoticeApplied(queries: Queries, noticeId: string): Promise<boolean> {
  return (await queries.run(noticeById, { notice_id: noticeId })).length > 0
}

export function toAgreement(row: ValuesOf<typeof agreementColumns>): Agreement {
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
    maxPayments: row.max_payments,
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

function toGivenValues(agreement: NewAgreement) {
  return {
    id: agreement.id,
    merchant_id: agreement.merchantId,
    type: agreement.type,
    purpose: agreement.purpose,
    start_date: agreement.startDate,
    debtor: agreement.debtor,
    creditor: agreement.creditor,
    response_required_by: agreement.responseRequiredBy,
  }
}

function toFactValues(facts: AgreementFacts): ValuesOf<typeof factColumns> {
  return {
    status: facts.status,
    version: facts.version,
    description: facts.description,
    short_description: facts.shortDescription,
    end_date: facts.endDate,
    terms: facts.terms,
    max_payments: facts.maxPayments,
    pending_amendment: toStoredAmendment(facts.pendingAmendment),
    suspended_by: facts.suspendedBy,
    reason: facts.reason,
    reference: facts.reference,
    metadata: facts.metadata,
    next_due_on: facts.nextDueOn,
    due_days_done_until: facts.dueDaysDoneUntil,
  }
}

function toChangeValues(
  { id, type, by, noticeId, reason, instruction, at }: NewChange,
  after: AgreementFacts,
) {
  return {
    change_id: id,
    change: type,
    changed_by: by,
    notice_id: noticeId,
    change_reason: reason,
    facts: toStoredFacts(after),
    instruction_id: instruction?.id ?? null,
    instruction: instruction?.content ?? null,
    now: at,
  }
}

/** The fields that can change, and nothing else of the agreement. */
function toStoredFacts(facts: AgreementFacts): StoredFacts {
  return {
    status: facts.status,
    version: facts.version,
    description: facts.description,
    shortDescription: facts.shortDescription,
    endDate: facts.endDate,
    terms: facts.terms,
    maxPayments: facts.maxPayments,
    pendingAmendment: toStoredAmendment(facts.pendingAmendment),
    suspendedBy: facts.suspendedBy,
    reason: facts.reason,
    reference: facts.reference,
    metadata: facts.metadata,
    nextDueOn: facts.nextDueOn,
    dueDaysDoneUntil: facts.dueDaysDoneUntil,
  }
}

function toRecorded(row: NonNullable<(typeof changeById)['row']>): RecordedChange {
  return {
    id: row.id,
    agreementId: row.agreement_id,
    revision: row.revision,
    type: row.type,
    by: row.changed_by,
    reason: row.reason,
    facts: { ...row.facts, pendingAmendment: toAmendment(row.facts.pendingAmendment) },
    at: row.created_at,
  }
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
