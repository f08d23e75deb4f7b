import { arrayOf, text } from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { CAPACITY_TABLE, capacityTypes } from '../../../platform/concurrency/fairness.ts'
import { ASK_AFTER } from './ask-after.ts'
import { attemptTakes } from './movement-sql.ts'

/** What waits for a gateway account. */
const dueColumns = { id: text, merchant_id: text, gateway_id: text }
export type DueRow = ValuesOf<typeof dueColumns>

/** Rows that wait until something may be done about them at their gateway account, and how an index by account and time finds them, as SQL. */
interface Waiting {
  table: 'attempts' | 'charges'
  waits: string
  /** The time from which one is due, and whether it is now. */
  dueAt: string
  isDue: string
  chargeId: string
}

/** Attempts without an outcome, to be asked for. */
export const OPEN_ATTEMPTS: Waiting = {
  table: 'attempts',
  waits: "outcome = 'open'",
  dueAt: 'ask_after',
  isDue: 'ask_after <= now()',
  chargeId: 'charge_id',
}

/**
 * Holds whose time is over, to be released. While an attempt has no outcome, `release_from` is `infinity`; but a build before step 064 does
 * not write it, so `open_attempt_id` is looked at too.
 */
export const ENDED_HOLDS: Waiting = {
  table: 'charges',
  waits: "status = 'pending' AND release_from IS NOT NULL",
  dueAt: 'release_from',
  isDue: 'release_from <= now() AND open_attempt_id IS NULL',
  chargeId: 'id',
}

/**
 * The gateway accounts at which something waits, as a part of a `WITH RECURSIVE`: a table with this name and the column `id`, with one null.
 * Each is a look into the index, however much waits at the one before.
 */
export const accountsOf = ({ table, waits }: Waiting, name: string): string => `
  ${name} (id) AS (
    (SELECT gateway_id FROM ${table} WHERE ${waits} ORDER BY gateway_id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT gateway_id FROM ${table} WHERE ${waits} AND gateway_id > ${name}.id ORDER BY gateway_id LIMIT 1
    ) FROM ${name} WHERE ${name}.id IS NOT NULL
  )`

/** What is due at an account, as what stands after a `SELECT`'s columns. */
export const dueAtAccount = ({ table, waits, isDue }: Waiting, account: string): string =>
  `FROM ${table} WHERE ${waits} AND gateway_id = ${account} AND ${isDue}`

/**
 * What is due, to choose from: of each gateway account the longest due, as many as it has capacity for, and of all of them twice what can
 * begin at all: the first of each merchant before the second of any. Accounts with something under way, or that do
 * not answer quickly, are counted apart: neither they nor what some merchants have many of keep from being found what others wait for.
 */
const findDue = (name: string, waiting: Waiting) =>
  statement({
    name,
    values: capacityTypes,
    columns: dueColumns,
    sql: `
      WITH RECURSIVE ${CAPACITY_TABLE}, ${accountsOf(waiting, 'accounts')},
      waiting AS (
        SELECT accounts.id, capacity.most IS NOT NULL AS is_listed, least(
                 coalesce(capacity.most, :capacity_of_others),
                 ceil(8.0 * :capacity_in_all::integer / count(*) OVER (PARTITION BY capacity.most IS NOT NULL)))::integer AS most
        FROM accounts LEFT JOIN capacity ON capacity.target_id = accounts.id CROSS JOIN LATERAL (
          SELECT ${dueAtAccount(waiting, 'accounts.id')} LIMIT 1
        ) due
        WHERE coalesce(capacity.most, :capacity_of_others) > 0
      ), found AS (
        SELECT a.id, c.merchant_id, c.gateway_id, a.due_at, waiting.is_listed,
               row_number() OVER (PARTITION BY waiting.is_listed, c.merchant_id ORDER BY a.turn, a.due_at) AS turn
        FROM waiting CROSS JOIN LATERAL (
          SELECT id, ${waiting.chargeId} AS charge_id, ${waiting.dueAt} AS due_at, row_number() OVER (ORDER BY ${waiting.dueAt}) AS turn
          ${dueAtAccount(waiting, 'waiting.id')} ORDER BY ${waiting.dueAt} LIMIT waiting.most
        ) a CROSS JOIN LATERAL (SELECT merchant_id, gateway_id FROM charges WHERE id = a.charge_id LIMIT 1) c
      ), placed AS (
        SELECT *, row_number() OVER (PARTITION BY is_listed ORDER BY turn, due_at) AS place FROM found
      )
      SELECT id, merchant_id, gateway_id FROM placed WHERE place <= 2 * :capacity_in_all::integer ORDER BY place`,
  })

/** Attempts whose outcome is due to be asked for. */
export const findDueAttempts = findDue('find_due_attempts', OPEN_ATTEMPTS)

/** Charges whose hold may be released. One that could not be released is tried again, ever less often. */
export const findEndedHolds = findDue('find_ended_holds', ENDED_HOLDS)

/**
 * Of these attempts those that are still due, each for one asker at a time; the older they are, the less often they are
 * asked for, and never before the answer to an earlier question must have come.
 */
export const takeAttempts = statement({
  name: 'take_attempts',
  values: { attempt_ids: arrayOf(text) },
  columns: { id: text, charge_id: text },
  sql: `
    UPDATE attempts SET times_asked = times_asked + 1,
           ask_after = now() + greatest(power(2, least(times_asked, 8)) * interval '1 second', ${ASK_AFTER})
    WHERE id IN (SELECT id FROM attempts WHERE id = ANY (:attempt_ids) AND ${attemptTakes('asked_for')} AND ask_after <= now()
                 FOR UPDATE SKIP LOCKED)
    RETURNING id, charge_id`,
})

/**
 * Attempts that would be asked for later than any pause allows, as the database's clock was set back. They are asked for in 8 s,
 * so that one still under way has its time.
 */
export const bringAttemptsForward = statement({
  name: 'bring_attempts_forward',
  values: {},
  columns: {},
  sql: `
    UPDATE attempts SET ask_after = now() + ${ASK_AFTER}
    WHERE outcome = 'open'
      AND ask_after > now() + greatest(power(2, least(times_asked, 8)) * interval '1 second', ${ASK_AFTER})`,
})
