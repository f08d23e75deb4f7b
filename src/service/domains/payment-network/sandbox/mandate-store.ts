import type { AgreementResource } from '../../../../contract/api/agreements/agreement-resource.ts'
import type { Queries } from '../../../platform/database/database.ts'
import {
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
import type { DebtorAnswer } from '../payment-network.ts'
import { maxAmountOf } from './mandate.ts'
import type { Mandate, Offer } from './mandate.ts'
import type { Course } from './steering.ts'

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

const openMandate = statement({
  name: 'sandbox_open_mandate',
  values: {
    ...mandateColumns,
    most_amount: bigint,
    payments: textOf<Course['payments']>(),
    pauses_at: nullable(timestamptz),
    notice_id: text,
    answer: nullable(answerType),
  },
  columns: {},
  sql: `
    WITH opened AS (
      INSERT INTO sandbox_network.mandates (${columns}, most_amount, payments, pauses_at)
      VALUES (${Object.keys(mandateColumns)
        .map((name) => `:${name}`)
        .join(', ')}, :most_amount, :payments, :pauses_at)
      ON CONFLICT DO NOTHING RETURNING id
    )
    INSERT INTO sandbox_network.notices (id, agreement_id, answer, created_at)
    SELECT :notice_id, id, :answer::text, :created_at FROM opened WHERE :answer::text IS NOT NULL`,
})
const findMandate = statement({
  name: 'sandbox_find_mandate',
  values: { id: text },
  columns: mandateColumns,
  sql: `SELECT ${columns} FROM sandbox_network.mandates WHERE id = :id`,
})
const lockMandate = statement({
  name: 'sandbox_lock_mandate',
  values: { id: text },
  columns: mandateColumns,
  sql: `SELECT ${columns} FROM sandbox_network.mandates WHERE id = :id FOR UPDATE`,
})
const writeMandate = statement({
  name: 'sandbox_write_mandate',
  values: { ...changing, most_amount: bigint },
  columns: {},
  sql: `
    UPDATE sandbox_network.mandates
    SET status = :status, suspended_by = :suspended_by, offer = :offer, pending_amendment = :pending_amendment,
      most_amount = :most_amount, pauses_at = CASE WHEN :status = 'active' THEN pauses_at END
    WHERE id = :id`,
})
const listPausing = statement({
  name: 'sandbox_list_pausing',
  values: { now: timestamptz },
  columns: { id: text },
  sql: 'SELECT id FROM sandbox_network.mandates WHERE pauses_at <= :now ORDER BY pauses_at LIMIT 100',
})

/** How a mandate behaves from its first moment. */
interface Birth {
  payments: Course['payments']
  pausesAt: Date | null
  /** What the payer has answered at once. */
  answer: DebtorAnswer | null
  noticeId: string
}

/** Writes a new mandate and the payer's answer to it, once for each id. */
export async function openMandateOnce(queries: Queries, mandate: Mandate, birth: Birth): Promise<void> {
  await queries.run(openMandate, {
    ...toRow(mandate),
    most_amount: maxAmountOf(mandate.offer.terms),
    payments: birth.payments,
    pauses_at: birth.pausesAt,
    answer: birth.answer,
    notice_id: birth.noticeId,
  })
}

export async function mandateById(queries: Queries, id: string): Promise<Mandate | null> {
  const [row] = await queries.run(findMandate, { id })
  return row === undefined ? null : toMandate(row)
}

/** Whoever changes the mandate next waits for the end of this transaction. */
export async function lockMandateById(queries: Queries, id: string): Promise<Mandate | null> {
  const [row] = await queries.run(lockMandate, { id })
  return row === undefined ? null : toMandate(row)
}

export async function updateMandate(queries: Queries, mandate: Mandate): Promise<void> {
  const { id, status, suspended_by, offer, pending_amendment } = toRow(mandate)
  const max = maxAmountOf(mandate.offer.terms)
  await queries.run(writeMandate, { id, status, suspended_by, offer, pending_amendment, most_amount: max })
}

/** The ids of mandates whose payer was to suspend before `now`, and has not yet. */
export async function pausingMandates(queries: Queries, now: Date): Promise<string[]> {
  return (await queries.run(listPausing, { now })).map(({ id }) => id)
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
