import { testStatement } from '../../../testing/test-statement.ts'

/* Statements that read what the service keeps of authentications, or change it behind its back. */

export const makeOftenAsked = testStatement(
  't_asked_often',
  'UPDATE charge_authentications SET times_asked = 100 WHERE charge_id = $1',
)
export const loseStep = testStatement(
  't_lose_step',
  'DELETE FROM charge_authentications WHERE charge_id = $1',
)
export const makeOld = testStatement(
  't_old_attempt',
  `UPDATE attempts SET created_at = now() - interval '10 minutes' WHERE charge_id = $1`,
)
export const makeDue = testStatement(
  't_due_attempt',
  `UPDATE attempts SET ask_after = now() - interval '1 second' WHERE charge_id = $1`,
)
export const makeOverInAttempt = testStatement(
  't_attempts_over',
  `UPDATE attempts SET authentication = authentication || jsonb_build_object('expiresAt', now() - interval '1 second') WHERE charge_id = $1`,
)
export const stepOf = testStatement<{ step: Buffer; key: Buffer; master: string }>(
  't_step_of',
  'SELECT step, wrapped_data_key AS key, master_key_id AS master FROM charge_authentications WHERE charge_id = $1',
)
/** As whoever took the step just before the end has read it. */
export const keepStep = testStatement(
  't_keep_step',
  'UPDATE charge_authentications SET step = $2, wrapped_data_key = $3, master_key_id = $4 WHERE charge_id = $1',
)
export const makeIdle = testStatement(
  't_nobody_asks',
  'UPDATE charge_authentications SET busy_until = now() WHERE id = $1',
)
export const makeOver = testStatement(
  't_authentications_over',
  `UPDATE charge_authentications SET expires_at = now() - interval '1 second' WHERE charge_id = $1`,
)
export const events = testStatement<{ type: string }>(
  't_events_of',
  'SELECT type FROM event_outbox WHERE subject = $1 ORDER BY created_at, id',
)
export const changed = testStatement(
  't_wishes_changed',
  "SELECT id FROM event_outbox WHERE merchant_id = $1 AND type = 'gateway.authentication_changed'",
)
export const browsers = testStatement<{ kept: number }>(
  't_browsers',
  'SELECT count(*)::int AS kept FROM payment_source_tokens WHERE browser IS NOT NULL',
)
