import type { Queries } from '../../platform/database/database.ts'
import {
  arrayOf,
  bigint,
  bool,
  integer,
  nullable,
  text,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { sqlConditionFor } from '../../platform/state-machine.ts'
import { agreementColumns, columns, laterThan, toAgreement } from './agreement-store.ts'
import { agreementMoves } from './agreement.ts'
import type { Agreement, AgreementAction } from './agreement.ts'
import type { Day } from './calendar.ts'
import { WAITING } from './payment-store.ts'
import type { Payment } from './payment.ts'

/** A payment that waits for the network, as a candidate to be chosen. */
export interface WaitingPayment {
  id: string
  merchantId: string
}

const takes = (action: AgreementAction): string =>
  sqlConditionFor(agreementMoves, action, (state) => `status = '${state}'`)

/** No answer has come in time. */
const IS_UNANSWERED = `${takes('lapse')} AND response_required_by <= :now`
/** The last day has passed, and no payment for a day up to then is still to be collected. */
const IS_OVER = `${takes('expire')} AND end_date IS NOT NULL AND end_date < :today
      AND NOT (status = 'active' AND next_due_on IS NOT NULL AND next_due_on <= end_date)`
/** No answer to the pending amendment has come in time. */
const IS_UNAMENDED = 'amendment_required_by IS NOT NULL AND amendment_required_by <= :now'

/** A payment is due to be collected. */
const IS_DUE = "status = 'active' AND next_due_on IS NOT NULL AND next_due_on <= :today"

export const unanswered = statement({
  name: 'find_unanswered_agreements',
  values: { now: timestamptz, most: bigint },
  columns: agreementColumns,
  sql: `
    SELECT ${columns} FROM agreements WHERE ${IS_UNANSWERED}
    ORDER BY response_required_by LIMIT :most`,
})

export const over = statement({
  name: 'find_agreements_that_are_over',
  values: { today: text, most: bigint },
  columns: agreementColumns,
  sql: `
    SELECT ${columns} FROM agreements WHERE ${IS_OVER}
    ORDER BY end_date LIMIT :most`,
})

export const unamended = statement({
  name: 'find_unamended_agreements',
  values: { now: timestamptz, most: bigint },
  columns: agreementColumns,
  sql: `
    SELECT ${columns} FROM agreements WHERE ${IS_UNAMENDED}
    ORDER BY amendment_required_by LIMIT :most`,
})

const whetherDue = statement({
  name: 'see_due_agreements',
  values: { today: text },
  columns: { is_due: bool },
  sql: `SELECT EXISTS (SELECT FROM agreements WHERE ${IS_DUE}) AS is_due`,
})

export const dueToLock = statement({
  name: 'lock_due_agreements',
  values: { today: text, most: bigint },
  columns: agreementColumns,
  sql: `
    SELECT ${columns} FROM agreements WHERE ${IS_DUE}
    ORDER BY next_due_on LIMIT :most FOR NO KEY UPDATE SKIP LOCKED`,
})

const dueDaysToMove = statement({
  name: 'move_due_days',
  values: {
    ids: arrayOf(text),
    due_days: arrayOf(nullable(text)),
    done_days: arrayOf(text),
    now: timestamptz,
  },
  columns: {},
  sql: `
    UPDATE agreements SET next_due_on = moved.due_on, due_days_done_until = moved.done_on, revision = revision + 1,
      updated_at = ${laterThan('agreements.updated_at')}
    FROM unnest(:ids::text[], :due_days::text[], :done_days::text[]) AS moved (id, due_on, done_on)
    WHERE agreements.id = moved.id`,
})

/** Of agreements with payments that have just settled, those that may end now, locked in the order of their ids. */
export const endingToLock = statement({
  name: 'lock_ending_agreements',
  values: { ids: arrayOf(text), last_ids: arrayOf(text) },
  columns: agreementColumns,
  sql: `
    SELECT ${columns} FROM agreements
    WHERE id = ANY(:ids) AND (most_payments IS NOT NULL OR id = ANY(:last_ids))
      AND ${takes('expire')}
    ORDER BY id FOR NO KEY UPDATE`,
})

/** How many payments of agreements have settled. Exact only while they are locked. */
export const settledCounts = statement({
  name: 'count_settled_payments',
  values: { agreement_ids: arrayOf(text) },
  columns: { agreement_id: text, count: bigint },
  sql: `
    SELECT agreement_id, count(*) FROM agreement_payments
    WHERE agreement_id = ANY(:agreement_ids) AND status = 'settled' GROUP BY agreement_id`,
})

/** Now, or later: `next_at` says when. */
const IS_TO_SEND = `next_at IS NOT NULL AND ${WAITING.toSend}`

/**
 * Payments that are due to be sent, or to be asked after: per merchant those that are due first, and overall about four times `most`.
 * It goes by the index from one merchant with such payments to the next, so that one with many does not hide the others.
 */
const waitingFor = (which: keyof typeof WAITING) => {
  const due = `next_at IS NOT NULL AND ${WAITING[which]} AND next_at <= :now`
  return statement({
    name: which === 'toSend' ? 'find_payments_to_send' : 'find_unanswered_payments',
    values: { now: timestamptz, most: integer },
    columns: { id: text, merchant_id: text },
    sql: `
      WITH RECURSIVE merchant AS (
        (SELECT merchant_id AS id FROM agreement_payments WHERE ${due} ORDER BY merchant_id LIMIT 1)
        UNION ALL
        SELECT (SELECT merchant_id FROM agreement_payments
                WHERE merchant_id > merchant.id AND ${due} ORDER BY merchant_id LIMIT 1)
        FROM merchant WHERE merchant.id IS NOT NULL
      ), share AS (
        SELECT id, ceil(4.0 * :most::integer / count(*) OVER ())::integer AS most FROM merchant WHERE id IS NOT NULL
      )
      SELECT waiting.id, waiting.merchant_id FROM share CROSS JOIN LATERAL (
        SELECT id, merchant_id FROM agreement_payments
        WHERE merchant_id = share.id AND ${due} ORDER BY next_at LIMIT share.most
      ) waiting`,
  })
}

export const waitingPayments = { toSend: waitingFor('toSend'), unanswered: waitingFor('unanswered') }

const has = (condition: string) => `EXISTS (SELECT FROM agreements WHERE ${condition})`

/**
 * The jobs that have something to do. What waits for the network counts even if its time has not come: rows of many merchants are in
 * the order of neither time nor day.
 */
const jobsWithWork = statement({
  name: 'see_work_of_agreements',
  values: { now: timestamptz, today: text },
  columns: { job: text },
  sql: `
    SELECT 'send instructions' AS job
    WHERE (SELECT merchant_id FROM network_instructions ORDER BY merchant_id LIMIT 1) IS NOT NULL
    UNION ALL
    SELECT 'send payments'
    WHERE (SELECT merchant_id FROM agreement_payments WHERE ${IS_TO_SEND} ORDER BY merchant_id LIMIT 1) IS NOT NULL
    UNION ALL
    SELECT 'collect due payments' WHERE ${has(IS_DUE)}
    UNION ALL
    SELECT 'end agreements' WHERE ${has(IS_OVER)} OR ${has(IS_UNANSWERED)} OR ${has(IS_UNAMENDED)}`,
})

/** Agreements whose debtor did not answer in time, at most `most`. */
export async function findUnanswered(queries: Queries, now: Date, most: number): Promise<Agreement[]> {
  return (await queries.run(unanswered, { now, most })).map(toAgreement)
}

/** Agreements whose last day has passed. */
export async function findOver(queries: Queries, today: Day, most: number): Promise<Agreement[]> {
  return (await queries.run(over, { today, most })).map(toAgreement)
}

/** Agreements with an amendment that the debtor did not answer in time. */
export async function findUnamended(queries: Queries, now: Date, most: number): Promise<Agreement[]> {
  return (await queries.run(unamended, { now, most })).map(toAgreement)
}

/** Whether any agreement has a payment to collect. */
export async function isAnyDue(queries: Queries, today: Day): Promise<boolean> {
  return (await queries.run(whetherDue, { today }))[0]?.is_due ?? false
}

/** Agreements with a payment to collect, each with its due day, locked. Leaves out what another transaction has locked. */
export async function lockDue(
  queries: Queries,
  today: Day,
  most: number,
): Promise<{ agreement: Agreement; day: Day }[]> {
  const rows = await queries.run(dueToLock, { today, most })
  return rows.map((row) => ({ agreement: toAgreement(row), day: row.next_due_on ?? today }))
}

/** Moves locked agreements on from due days that were collected (`done`) to the next ones; null if there is none. */
export async function moveDueDays(
  queries: Queries,
  moves: readonly { agreementId: string; done: Day; next: Day | null }[],
  now: Date,
): Promise<void> {
  await queries.run(dueDaysToMove, {
    ids: moves.map(({ agreementId }) => agreementId),
    due_days: moves.map(({ next }) => next),
    done_days: moves.map(({ done }) => done),
    now,
  })
}

/** Of payments that have just settled, locks the agreements that have no other payment to come. */
export async function lockEnding(queries: Queries, settled: readonly Payment[]): Promise<Agreement[]> {
  if (settled.length === 0) return []
  const lastIds = new Set(settled.filter(({ isLast }) => isLast).map(({ agreementId }) => agreementId))
  const ids = settled.map(({ agreementId }) => agreementId)
  const ending = (await queries.run(endingToLock, { ids, last_ids: [...lastIds] })).map(toAgreement)
  if (ending.length === 0) return []
  const rows = await queries.run(settledCounts, { agreement_ids: ending.map(({ id }) => id) })
  const counts = new Map(rows.map((row) => [row.agreement_id, row.count]))
  return ending.filter(
    ({ id, maxPayments }) =>
      lastIds.has(id) || (maxPayments !== null && (counts.get(id) ?? 0) >= maxPayments),
  )
}

/** Finds payments that wait to be sent, or for an outcome: about four times `most`, to choose from. */
export async function findWaiting(
  queries: Queries,
  which: keyof typeof waitingPayments,
  most: number,
  now: Date,
): Promise<WaitingPayment[]> {
  const rows = await queries.run(waitingPayments[which], { most, now })
  return rows.map((row) => ({ id: row.id, merchantId: row.merchant_id }))
}

/** The names of the jobs of agreements that have something to do. */
export async function jobsToDo(queries: Queries, now: Date, today: Day): Promise<string[]> {
  return (await queries.run(jobsWithWork, { now, today })).map(({ job }) => job)
}
