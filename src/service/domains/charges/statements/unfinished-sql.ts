import { arrayOf, text } from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { CAPACITY_TABLE, capacityTypes } from '../../../platform/jobs/fair-shares.ts'
import { ASK_AFTER } from './ask-after.ts'
import { attemptTakes } from './movement-sql.ts'

/** What waits for a gateway account. */
const dueColumns = { id: text, merchant_id: text, gateway_id: text }
export type DueRow = ValuesOf<typeof dueColumns>

/**
 * The gateway accounts that have attempts without an outcome, as a part of a `WITH RECURSIVE`: `accounts (id)`, with one null. Each is a look into
 * the index, however many attempts there are of the one before.
 */
export const OPEN_ACCOUNTS = `
  accounts (id) AS (
    (SELECT gateway_id FROM attempts WHERE outcome = 'open' ORDER BY gateway_id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT gateway_id FROM attempts WHERE outcome = 'open' AND gateway_id > accounts.id ORDER BY gateway_id LIMIT 1
    ) FROM accounts WHERE accounts.id IS NOT NULL
  )`

/**
 * Attempts whose outcome is due to be asked for, to choose from: of each gateway account the longest due, as many as it has capacity for, and
 * of all of them twice what can begin at all: the first of each merchant before the second of any. Accounts with something under way, or that do
 * not answer quickly, are counted apart: neither they nor what some merchants have many of keep from being found what others wait for.
 */
export const findDueAttempts = statement({
  name: 'find_due_attempts',
  values: capacityTypes,
  columns: dueColumns,
  sql: `
    WITH RECURSIVE ${CAPACITY_TABLE}, ${OPEN_ACCOUNTS},
    waiting AS (
      SELECT accounts.id, capacity.most IS NOT NULL AS is_listed, least(
               coalesce(capacity.most, :capacity_of_others),
               ceil(8.0 * :capacity_in_all::integer / count(*) OVER (PARTITION BY capacity.most IS NOT NULL)))::integer AS most
      FROM accounts LEFT JOIN capacity ON capacity.target_id = accounts.id CROSS JOIN LATERAL (
        SELECT FROM attempts WHERE outcome = 'open' AND gateway_id = accounts.id AND ask_after <= now() LIMIT 1
      ) due
      WHERE coalesce(capacity.most, :capacity_of_others) > 0
    ), found AS (
      SELECT a.id, c.merchant_id, c.gateway_id, a.due_at, waiting.is_listed,
             row_number() OVER (PARTITION BY waiting.is_listed, c.merchant_id ORDER BY a.turn, a.due_at) AS turn
      FROM waiting CROSS JOIN LATERAL (
        SELECT id, charge_id, ask_after AS due_at, row_number() OVER (ORDER BY ask_after) AS turn FROM attempts
        WHERE outcome = 'open' AND gateway_id = waiting.id AND ask_after <= now() ORDER BY ask_after LIMIT waiting.most
      ) a CROSS JOIN LATERAL (SELECT merchant_id, gateway_id FROM charges WHERE id = a.charge_id LIMIT 1) c
    ), placed AS (
      SELECT *, row_number() OVER (PARTITION BY is_listed ORDER BY turn, due_at) AS place FROM found
    )
    SELECT id, merchant_id, gateway_id FROM placed WHERE place <= 2 * :capacity_in_all::integer ORDER BY place`,
})

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

/** After a release that failed: a minute, and twice as long each time, up to a day. */
const RELEASE_PAUSE =
  "least(power(2, least(c.releases_tried, 12) - 1) * interval '1 minute', interval '1 day')"
/** No release was tried yet, or the last one is long enough ago. A change in the future was made before the clock was set back. */
const MAY_BE_RELEASED = `(c.releases_tried = 0 OR c.updated_at <= now() - ${RELEASE_PAUSE}
                           OR c.updated_at > now() + interval '1 minute')`

/** How many holds are looked at; others are reached once the accounts that fill this have no more capacity. */
const MAX_LOOKED_AT = 2000
const endedHolds = (accounts: string) => `(
  SELECT c.id, c.merchant_id, c.gateway_id, c.hold_expires_at AS due_at, capacity.most
  FROM charges c LEFT JOIN capacity ON capacity.target_id = c.gateway_id
  WHERE c.status = 'pending' AND c.open_attempt_id IS NULL AND c.hold_expires_at <= now() AND ${MAY_BE_RELEASED} AND ${accounts}
  ORDER BY c.hold_expires_at LIMIT ${String(MAX_LOOKED_AT)})`

/**
 * Charges whose hold is over, to choose from: of each gateway account that has capacity the longest over, and of all of them twice what can
 * begin at all, as for attempts; accounts with something under way, or that do not answer quickly, are looked at apart. One that could not be
 * released is tried again, ever less often.
 */
export const findEndedHolds = statement({
  name: 'find_ended_holds',
  values: capacityTypes,
  columns: dueColumns,
  sql: `
    WITH ${CAPACITY_TABLE}, due AS (
      ${endedHolds('capacity.most IS NULL AND :capacity_of_others > 0')}
      UNION ALL ${endedHolds('capacity.most > 0')}
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY gateway_id ORDER BY due_at) AS turn FROM due
    ), placed AS (
      SELECT *, row_number() OVER (PARTITION BY most IS NULL ORDER BY turn, due_at) AS place
      FROM ranked WHERE turn <= coalesce(most, :capacity_of_others)
    )
    SELECT id, merchant_id, gateway_id FROM placed WHERE place <= 2 * :capacity_in_all::integer ORDER BY place`,
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
