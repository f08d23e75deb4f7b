import type { AgreementResource } from '../../../../contract/api/agreements/agreement-resource.ts'
import type { Queries } from '../../../platform/database/database.ts'
import {
  arrayOf,
  bigint,
  bool,
  jsonb,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { DebtorAnswer, Notice } from '../payment-network.ts'
import { maxAmountOf } from './mandate.ts'
import type { Mandate, Offer } from './mandate.ts'
import type { PayerScenario } from './payer-scenarios.ts'

const changing = {
  id: text,
  status: textOf<Mandate['status']>(),
  suspended_by: nullable(textOf<'creditor' | 'debtor'>()),
  offer: jsonb<Offer>(),
  pending_amendment: nullable(jsonb<NonNullable<Mandate['pendingAmendment']>>()),
}
const mandateColumns = {
  ...changing,
  type: textOf<AgreementResource['type']>(),
  purpose: textOf<AgreementResource['purpose']>(),
  creditor_name: text,
  debtor_name: text,
  accepts_amendments: bool,
  created_at: timestamptz,
}
const columns = Object.keys(mandateColumns).join(', ')
const answerType = textOf<DebtorAnswer>()

const mandateToAdd = statement({
  name: 'sandbox_open_mandate',
  values: {
    ...mandateColumns,
    max_amount: bigint,
    payments: textOf<PayerScenario['payments']>(),
    pauses_at: nullable(timestamptz),
    notice_id: text,
    answer: nullable(answerType),
  },
  columns: {},
  sql: `
    WITH opened AS (
      INSERT INTO sandbox_network.mandates (${columns}, max_amount, payments, pauses_at)
      VALUES (${Object.keys(mandateColumns)
        .map((name) => `:${name}`)
        .join(', ')}, :max_amount, :payments, :pauses_at)
      ON CONFLICT DO NOTHING RETURNING id
    )
    INSERT INTO sandbox_network.notices (id, agreement_id, answer, created_at)
    SELECT :notice_id, id, :answer::text, :created_at FROM opened WHERE :answer::text IS NOT NULL`,
})
const mandateById = statement({
  name: 'sandbox_find_mandate',
  values: { id: text },
  columns: mandateColumns,
  sql: `SELECT ${columns} FROM sandbox_network.mandates WHERE id = :id`,
})
const mandateToLock = statement({
  name: 'sandbox_lock_mandate',
  values: { id: text },
  columns: mandateColumns,
  sql: `SELECT ${columns} FROM sandbox_network.mandates WHERE id = :id FOR UPDATE`,
})
const mandateToUpdate = statement({
  name: 'sandbox_write_mandate',
  values: { ...changing, max_amount: bigint },
  columns: {},
  sql: `
    UPDATE sandbox_network.mandates
    SET status = :status, suspended_by = :suspended_by, offer = :offer, pending_amendment = :pending_amendment,
      max_amount = :max_amount, pauses_at = CASE WHEN :status = 'active' THEN pauses_at END
    WHERE id = :id`,
})
const pausing = statement({
  name: 'sandbox_list_pausing',
  values: { now: timestamptz },
  columns: { id: text },
  sql: 'SELECT id FROM sandbox_network.mandates WHERE pauses_at <= :now ORDER BY pauses_at LIMIT 100',
})
const instructionById = statement({
  name: 'sandbox_find_instruction',
  values: { id: text },
  columns: { refusal: nullable(text) },
  sql: 'SELECT refusal FROM sandbox_network.instructions WHERE id = :id',
})
const instructionToAdd = statement({
  name: 'sandbox_write_instruction',
  values: { id: text, agreement_id: text, refusal: nullable(text), created_at: timestamptz },
  columns: {},
  sql: `
    INSERT INTO sandbox_network.instructions (id, agreement_id, refusal, created_at)
    VALUES (:id, :agreement_id, :refusal, :created_at)`,
})
const noticeColumns = {
  id: text,
  agreement_id: text,
  answer: textOf<DebtorAnswer>(),
  amendment_id: nullable(text),
  created_at: timestamptz,
}
const noticeToAdd = statement({
  name: 'sandbox_write_notice',
  values: noticeColumns,
  columns: {},
  sql: `
    INSERT INTO sandbox_network.notices (id, agreement_id, answer, amendment_id, created_at)
    VALUES (:id, :agreement_id, :answer, :amendment_id, :created_at)`,
})
const notices = statement({
  name: 'sandbox_list_notices',
  values: { most: bigint },
  columns: noticeColumns,
  sql: `
    SELECT id, agreement_id, answer, amendment_id, created_at FROM sandbox_network.notices
    ORDER BY position LIMIT :most`,
})
/** Whether there is a notice, or a payer that is to suspend by now. */
const whetherNews = statement({
  name: 'sandbox_see_news',
  values: { now: timestamptz },
  columns: { is_there: bool },
  sql: `
    SELECT EXISTS (SELECT FROM sandbox_network.notices)
      OR EXISTS (SELECT FROM sandbox_network.mandates WHERE pauses_at <= :now) AS is_there`,
})
const noticesToRemove = statement({
  name: 'sandbox_remove_notices',
  values: { ids: arrayOf(text) },
  columns: {},
  sql: 'DELETE FROM sandbox_network.notices WHERE id = ANY(:ids)',
})

/** How the payer of a new mandate behaves. */
interface Behaviour {
  payments: PayerScenario['payments']
  pausesAt: Date | null
  /** What the payer has answered at once. */
  answer: DebtorAnswer | null
  noticeId: string
}

/** Adds a mandate with the payer's answer to it, once for each id. */
export async function addMandate(queries: Queries, mandate: Mandate, behaviour: Behaviour): Promise<void> {
  await queries.run(mandateToAdd, {
    ...toRow(mandate),
    max_amount: maxAmountOf(mandate.offer.terms),
    payments: behaviour.payments,
    pauses_at: behaviour.pausesAt,
    answer: behaviour.answer,
    notice_id: behaviour.noticeId,
  })
}

export async function findMandate(queries: Queries, id: string): Promise<Mandate | null> {
  const [row] = await queries.run(mandateById, { id })
  return row === undefined ? null : toMandate(row)
}

/** Finds and locks a mandate: others wait for the end of this transaction to change it. */
export async function lockMandate(queries: Queries, id: string): Promise<Mandate | null> {
  const [row] = await queries.run(mandateToLock, { id })
  return row === undefined ? null : toMandate(row)
}

export async function updateMandate(queries: Queries, mandate: Mandate): Promise<void> {
  const { id, status, suspended_by, offer, pending_amendment } = toRow(mandate)
  const max = maxAmountOf(mandate.offer.terms)
  await queries.run(mandateToUpdate, { id, status, suspended_by, offer, pending_amendment, max_amount: max })
}

/** The ids of mandates whose payer was to suspend before `now`, and has not yet. */
export async function pausingMandates(queries: Queries, now: Date): Promise<string[]> {
  return (await queries.run(pausing, { now })).map(({ id }) => id)
}

/** Why an instruction that came before was refused; null if it was done, undefined if it is new. */
export async function refusalOf(queries: Queries, instructionId: string): Promise<string | null | undefined> {
  return (await queries.run(instructionById, { id: instructionId }))[0]?.refusal
}

/** Keeps how an instruction ended, so that it is answered the same when it comes again. */
export async function keepInstruction(
  queries: Queries,
  { id, agreementId, refusal, at }: { id: string; agreementId: string; refusal: string | null; at: Date },
): Promise<void> {
  await queries.run(instructionToAdd, { id, agreement_id: agreementId, refusal, created_at: at })
}

export async function addNotice(queries: Queries, notice: Notice): Promise<void> {
  const { id, agreementId, answer, amendmentId, at } = notice
  await queries.run(noticeToAdd, {
    id,
    agreement_id: agreementId,
    answer,
    amendment_id: amendmentId,
    created_at: at,
  })
}

/** False if `pausingMandates` and `oldestNotices` would find nothing. */
export async function isSomethingNew(queries: Queries, now: Date): Promise<boolean> {
  return (await queries.run(whetherNews, { now }))[0]?.is_there ?? false
}

/** The oldest notices that were not acknowledged. */
export async function oldestNotices(queries: Queries, most: number): Promise<Notice[]> {
  const rows = await queries.run(notices, { most })
  return rows.map((row) => ({
    id: row.id,
    agreementId: row.agreement_id,
    answer: row.answer,
    amendmentId: row.amendment_id,
    at: row.created_at,
  }))
}

export async function forgetNotices(queries: Queries, ids: readonly string[]): Promise<void> {
  await queries.run(noticesToRemove, { ids })
}

type Row = ValuesOf<typeof mandateColumns>

function toRow(mandate: Mandate): Row {
  return {
    id: mandate.id,
    status: mandate.status,
    suspended_by: mandate.suspendedBy,
    type: mandate.type,
    purpose: mandate.purpose,
    creditor_name: mandate.creditorName,
    debtor_name: mandate.debtorName,
    offer: mandate.offer,
    pending_amendment: mandate.pendingAmendment,
    accepts_amendments: mandate.acceptsAmendments,
    created_at: mandate.createdAt,
  }
}

function toMandate(row: Row): Mandate {
  return {
    id: row.id,
    status: row.status,
    suspendedBy: row.suspended_by,
    type: row.type,
    purpose: row.purpose,
    creditorName: row.creditor_name,
    debtorName: row.debtor_name,
    offer: row.offer,
    pendingAmendment: row.pending_amendment,
    acceptsAmendments: row.accepts_amendments,
    createdAt: row.created_at,
  }
}
