import {
  arrayOf,
  bigint,
  bool,
  nullable,
  text,
  timestamptz,
} from '../../../../platform/database/sql-types.ts'
import { statement } from '../../../../platform/database/statement.ts'
import { sqlConditionFor } from '../../../../platform/state-machine.ts'
import { agreementColumns } from '../../agreement-row.ts'
import { agreementMoves } from '../../agreement.ts'
import { columns, laterThan } from '../../statements/agreement-sql.ts'

/** There is a payment to collect. */
export const IS_DUE = "status = 'active' AND next_due_on IS NOT NULL AND next_due_on <= :today"

/** Whether any agreement has one. */
export const seeDue = statement({
  name: 'see_due_agreements',
  values: { today: text },
  columns: { is_due: bool },
  sql: `SELECT EXISTS (SELECT FROM agreements WHERE ${IS_DUE}) AS is_due`,
})

/** Active agreements with a payment to collect, locked for this transaction; what another one has locked is left to it. */
export const lockDueAgreements = statement({
  name: 'lock_due_agreements',
  values: { today: text, most: bigint },
  columns: agreementColumns,
  sql: `
    SELECT ${columns} FROM agreements WHERE ${IS_DUE}
    ORDER BY next_due_on LIMIT :most FOR NO KEY UPDATE SKIP LOCKED`,
})

/** Moves agreements that are locked on from due days that were collected to the next ones; null where there is none. */
export const moveDueDays = statement({
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

/**
 * Of agreements with payments that have just settled, those that may have come to their end, locked for this transaction in the order
 * of ids. `last_ids`: whose last payment it was.
 */
export const lockEnding = statement({
  name: 'lock_ending_agreements',
  values: { ids: arrayOf(text), last_ids: arrayOf(text) },
  columns: agreementColumns,
  sql: `
    SELECT ${columns} FROM agreements
    WHERE id = ANY(:ids) AND (most_payments IS NOT NULL OR id = ANY(:last_ids))
      AND ${sqlConditionFor(agreementMoves, 'expire', (state) => `status = '${state}'`)}
    ORDER BY id FOR NO KEY UPDATE`,
})

/** How many payments of agreements have settled. Right only while they are locked. */
export const countSettled = statement({
  name: 'count_settled_payments',
  values: { agreement_ids: arrayOf(text) },
  columns: { agreement_id: text, count: bigint },
  sql: `
    SELECT agreement_id, count(*) FROM agreement_payments
    WHERE agreement_id = ANY(:agreement_ids) AND status = 'settled' GROUP BY agreement_id`,
})
