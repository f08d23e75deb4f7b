import type { Queries } from '../../platform/database/database.ts'
import { arrayOf, bigint, bool, nullable, text, timestamptz } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { sqlConditionFor } from '../../platform/state-machine.ts'
import { agreementColumns, columns, laterThan, toAgreement } from './agreement-store.ts'
import { agreementMoves } from './agreement.ts'
import type { Agreement, AgreementAction } from './agreement.ts'
import type { Day } from './calendar.ts'
import { WAITING } from './payment-sending-store.ts'

const allows = (action: AgreementAction): string =>
  sqlConditionFor(agreementMoves, action, (state) => `status = '${state}'`)

/** No answer has come in time. */
const IS_UNANSWERED = `${allows('lapse')} AND response_required_by <= :now`
/** The last day has passed, and no payment for a day up to then is still to be collected. */
const IS_OVER = `${allows('expire')} AND end_date IS NOT NULL AND end_date < :today
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

/** Now, or later: `next_at` says when. */
const IS_TO_SEND = `next_at IS NOT NULL AND ${WAITING.toSend}`

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

/** The names of the jobs of agreements that have something to do. */
export async function jobsToDo(queries: Queries, now: Date, today: Day): Promise<string[]> {
  return (await queries.run(jobsWithWork, { now, today })).map(({ job }) => job)
}
