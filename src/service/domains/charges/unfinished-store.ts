import type { Queries } from '../../platform/database/database.ts'
import { arrayOf, text } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { ARE_UNCOUNTED } from './tallies.ts'
import { batchColumns, batchOf, countIn } from '../../platform/jobs/batches.ts'
import { CAPACITY_TABLE, capacityTypes, toCapacityValues } from '../../platform/concurrency/fairness.ts'
import type { Capacity, Task } from '../../platform/concurrency/fairness.ts'
import { ASK_AFTER, RELEASE_PAUSE, UNDER_WAY, afterFailedRelease, attemptTakes } from './attempt-store.ts'

/** Open attempts that the gateway may be asked about now, to choose from; a task's id is the attempt's. */
export function findDueAttempts(database: Queries, capacity: Capacity): Promise<Task[]> {
  return findDue(database, dueAttempts, capacity)
}

/** Takes those attempts that are still due, for this process alone for 8 s. */
export async function takeAttempts(
  database: Queries,
  chosen: readonly Task[],
): Promise<(Task & { chargeId: string })[]> {
  const rows = await database.run(takeDueAttempts, { attempt_ids: chosen.map(({ id }) => id) })
  const chargeIds = new Map(rows.map(({ id, charge_id: chargeId }) => [id, chargeId]))
  return chosen.flatMap((task) => {
    const chargeId = chargeIds.get(task.id)
    return chargeId === undefined ? [] : [{ ...task, chargeId }]
  })
}

/** Notes up to 1,000 holds whose time is over, the longest over first; returns how many. */
export async function noteEndedHolds(database: Queries): Promise<number> {
  return countIn(await database.run(writeReleaseFrom, {}))
}

/** Noted holds that may be released now, to choose from; a task's id is the charge's. */
export function findEndedHolds(database: Queries, capacity: Capacity): Promise<Task[]> {
  return findDue(database, endedHolds, capacity)
}

/** After the database's clock was set back: lets attempts be asked about that would wait longer than any pause. */
export async function bringAttemptsForward(database: Queries): Promise<void> {
  await database.run(bringAskAfterForward, {})
}

/** After the database's clock was set back: lets some holds be released that would wait longer than any pause; returns how many. */
export async function bringReleasesForward(database: Queries): Promise<number> {
  return countIn(await database.run(bringReleaseFromForward, {}))
}

/** The jobs that have something to do, by their names; whether a gateway account has capacity is not checked. */
export async function jobsWithWork(database: Queries): Promise<string[]> {
  return (await database.run(selectJobsWithWork, {})).map(({ job }) => job)
}

async function findDue(
  database: Queries,
  due: ReturnType<typeof selectDue>,
  capacity: Capacity,
): Promise<Task[]> {
  const rows = await database.run(due, toCapacityValues(capacity))
  return rows.map(({ id, merchant_id, gateway_id }) => ({
    id,
    merchantId: merchant_id,
    targetId: gateway_id,
  }))
}

/** Rows that wait for their gateway account, as SQL that an index by account and time serves. */
interface Waiting {
  table: 'attempts' | 'charges'
  waits: string
  /** From when one is due. */
  dueAt: string
  isDue: string
  chargeId: string
}

const OPEN_ATTEMPTS: Waiting = {
  table: 'attempts',
  waits: "outcome = 'open'",
  dueAt: 'ask_after',
  isDue: 'ask_after <= now()',
  chargeId: 'charge_id',
}

/** Holds whose time is over, to be released. While an attempt has no outcome, `release_from` is `infinity`. */
const ENDED_HOLDS: Waiting = {
  table: 'charges',
  waits: "status = 'pending' AND release_from IS NOT NULL",
  dueAt: 'release_from',
  isDue: 'release_from <= now()',
  chargeId: 'id',
}

/** Holds whose time is over and that have no `release_from` yet, as SQL for after `FROM`; the index `charges_held` finds them. */
const UNNOTED_HOLDS = "charges WHERE status = 'pending' AND release_from IS NULL AND hold_expires_at <= now()"

/**
 * The gateway accounts at which something waits, as a part of a `WITH RECURSIVE`: a table with this name and the column `id`, with one null.
 * Each account is one look into the index, however much waits at the one before.
 */
const accountsOf = ({ table, waits }: Waiting, name: string): string => `
  ${name} (id) AS (
    (SELECT gateway_id FROM ${table} WHERE ${waits} ORDER BY gateway_id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT gateway_id FROM ${table} WHERE ${waits} AND gateway_id > ${name}.id ORDER BY gateway_id LIMIT 1
    ) FROM ${name} WHERE ${name}.id IS NOT NULL
  )`

/** What is due at an account, as SQL for after a `SELECT`'s columns. */
const dueAtAccount = ({ table, waits, isDue }: Waiting, account: string): string =>
  `FROM ${table} WHERE ${waits} AND gateway_id = ${account} AND ${isDue}`

/**
 * Candidates for the next batch: per gateway account the longest due, up to its capacity; overall twice the free capacity, the first of each
 * merchant before the second of any. Accounts that are busy or slow are counted apart: neither they nor a merchant with many candidates
 * hide what others wait for.
 */
const selectDue = (name: string, waiting: Waiting) =>
  statement({
    name,
    values: capacityTypes,
    columns: { id: text, merchant_id: text, gateway_id: text },
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

export const dueAttempts = selectDue('find_due_attempts', OPEN_ATTEMPTS)

/** A hold that could not be released is tried again, less and less often. */
export const endedHolds = selectDue('find_ended_holds', ENDED_HOLDS)

/** The more often an attempt was asked about, the longer the pause; never before the answer to the last question must have come. */
const takeDueAttempts = statement({
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

/** They are asked about in 8 s, so that one still under way has its time. */
const bringAskAfterForward = statement({
  name: 'bring_attempts_forward',
  values: {},
  columns: {},
  sql: `
    UPDATE attempts SET ask_after = now() + ${ASK_AFTER}
    WHERE outcome = 'open'
      AND ask_after > now() + greatest(power(2, least(times_asked, 8)) * interval '1 second', ${ASK_AFTER})`,
})

/** Each hold may be released at once, unless an attempt has no outcome yet, or a release has failed and a pause has to pass. */
export const writeReleaseFrom = statement({
  name: 'note_ended_holds',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: `
      UPDATE charges SET release_from =
        CASE WHEN open_attempt_id IS NULL THEN coalesce(${afterFailedRelease('updated_at')}, hold_expires_at) ELSE ${UNDER_WAY} END`,
    found: UNNOTED_HOLDS,
    order: 'hold_expires_at',
    key: 'id',
  }),
})

/** The extra minute leaves alone a pause that begins meanwhile, so after this statement's `now()`. */
const bringReleaseFromForward = statement({
  name: 'bring_releases_forward',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: 'UPDATE charges SET release_from = hold_expires_at',
    found: `${ENDED_HOLDS.table} WHERE ${ENDED_HOLDS.waits} AND open_attempt_id IS NULL
            AND release_from > greatest(hold_expires_at, now() + ${RELEASE_PAUSE} + interval '1 minute')`,
    order: 'gateway_id, release_from',
    key: 'id',
  }),
})

/** One statement for both jobs: mostly there is nothing to do. */
export const selectJobsWithWork = statement({
  name: 'see_unfinished_charges',
  values: {},
  columns: { job: text },
  sql: `
    WITH RECURSIVE ${accountsOf(OPEN_ATTEMPTS, 'asked')}, ${accountsOf(ENDED_HOLDS, 'held')}
    SELECT 'resolve attempts' AS job WHERE EXISTS (
      SELECT FROM asked CROSS JOIN LATERAL (SELECT ${dueAtAccount(OPEN_ATTEMPTS, 'asked.id')} LIMIT 1) due)
    UNION ALL
    SELECT 'release ended holds' WHERE EXISTS (
      (SELECT FROM ${UNNOTED_HOLDS} ORDER BY hold_expires_at LIMIT 1)
      UNION ALL
      (SELECT FROM held CROSS JOIN LATERAL (SELECT ${dueAtAccount(ENDED_HOLDS, 'held.id')} LIMIT 1) due))
    UNION ALL
    SELECT 'count charges' WHERE ${ARE_UNCOUNTED}`,
})
