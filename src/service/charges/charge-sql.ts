import { statement } from '../database/database.ts'
import type { ChargeRow } from './charge-row.ts'

/** How long after it was written an attempt without an outcome is asked for: longer than any answer may take. */
const ASK_AFTER = "interval '8 seconds'"

const columns = `
  c.id, c.merchant_id, c.gateway_id, c.token, c.status, c.pre_auth, c.amount, c.currency, c.reference, c.description,
  c.customer, c.payment_source, c.source_ip, coalesce(c.hold_expires_at <= now(), false) AS is_hold_over,
  c.open_attempt_id, c.version, c.created_at, c.updated_at,
  a.id AS attempt_id, a.type, a.reason, a.reference AS attempt_reference, a.amount AS attempt_amount, a.outcome, a.decline_reason, a.gateway_code,
  a.gateway_description, a.external_id, a.external_reference, a.source_ip AS attempt_source_ip,
  a.created_at AS attempt_created_at, a.settled_at`

export const findCharge = statement<ChargeRow>(
  'find_charge',
  `SELECT ${columns} FROM charges c JOIN attempts a ON a.charge_id = c.id
   WHERE c.id = $1 ORDER BY a.created_at, a.id`,
)

/** A page of a merchant's charges, newest first, after a cursor's time and id. */
export const listCharges = statement<ChargeRow>(
  'list_charges',
  `SELECT ${columns} FROM (
     SELECT * FROM charges
     WHERE merchant_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3))
     ORDER BY created_at DESC, id DESC LIMIT $4
   ) c JOIN attempts a ON a.charge_id = c.id
   ORDER BY c.created_at DESC, c.id DESC, a.created_at, a.id`,
)

const writeAttempt = (source: string) => `
  INSERT INTO attempts (id, charge_id, type, reason, amount, source_ip, reference, outcome, ask_after)
  SELECT $1, $2, $3, $4, $5, $6, $7, 'open', now() + ${ASK_AFTER} FROM ${source}`

/** The parts of a token's statements that a sale runs within its own. */
export interface TokenClaim {
  take: (names: { token: string; merchant: string; attempt: string }) => string
  spend: (names: { token: string; attempt: string }) => string
  release: (names: { token: string; attempt: string }) => string
}

/** Takes the token, writes the charge and its first attempt: all of it or, without a row, nothing. */
export const beginSale = ({ take }: TokenClaim) =>
  statement<{ created_at: Date }>(
    'begin_sale',
    `WITH taken AS (${take({ token: '$8', merchant: '$9', attempt: '$1' })}),
     charge AS (
       INSERT INTO charges (id, merchant_id, gateway_id, token, status, pre_auth, amount, currency, reference,
                            description, customer, payment_source, source_ip, open_attempt_id)
       SELECT $2, $9, $10, $8, 'processing', $11, $5, $12, $13, $14, $15, $16, $6, $1 FROM taken
       RETURNING created_at
     ), attempt AS (${writeAttempt('charge')})
     SELECT created_at FROM charge`,
  )

/**
 * Writes the attempt to capture, cancel or refund if the charge is still as it was read and nothing else is under
 * way: of many racers one gets a row. `$9`: the status it must have; `$10`: whether the hold's time must be over.
 */
export const beginFollowUp = statement<{ created_at: Date }>(
  'begin_follow_up',
  `WITH moved AS (
     UPDATE charges SET open_attempt_id = $1, version = version + 1, updated_at = now()
     WHERE id = $2 AND version = $8 AND status = $9 AND open_attempt_id IS NULL
       AND (status <> 'pending' OR (hold_expires_at <= now()) = $10)
     RETURNING updated_at
   ), attempt AS (${writeAttempt('moved')})
   SELECT updated_at AS created_at FROM moved`,
)

const recordOutcome = `
  recorded AS (
    UPDATE attempts SET outcome = $2, decline_reason = $3, gateway_code = $4, gateway_description = $5,
                        external_id = $6, external_reference = $7, settled_at = now()
    WHERE id = $1 AND outcome = 'open' RETURNING charge_id, settled_at
  )`
const moveCharge = `
  UPDATE charges SET status = $8, open_attempt_id = NULL, version = version + 1, updated_at = now(),
                     hold_expires_at = coalesce(now() + $9 * interval '1 second', hold_expires_at)
  FROM recorded WHERE charges.id = recorded.charge_id
  RETURNING recorded.settled_at`

/** Records what became of a sale, and spends the token or gives it back, together. */
export const settleSale = (tokens: TokenClaim) => {
  const names = { token: '$10', attempt: '$1' }
  const settle = (part: string, sql: string) =>
    statement<{ settled_at: Date }>(
      `settle_sale_${part}`,
      `WITH ${recordOutcome}, token AS (${sql} AND EXISTS (SELECT 1 FROM recorded)) ${moveCharge}`,
    )
  return { spend: settle('spend', tokens.spend(names)), release: settle('release', tokens.release(names)) }
}

/** Spends the token of a sale that was sent and has no outcome yet. */
export const spendToken = ({ spend }: TokenClaim) =>
  statement('spend_token', spend({ token: '$1', attempt: '$2' }))

/** Records what became of a capture, cancel or refund. */
export const settleFollowUp = statement<{ settled_at: Date }>(
  'settle_follow_up',
  `WITH ${recordOutcome} ${moveCharge}`,
)

/** Attempts whose outcome is due to be asked for, each for one asker at a time, less often the older they are. */
export const takeDueAttempts = statement<{ id: string; charge_id: string }>(
  'take_due_attempts',
  `UPDATE attempts SET times_asked = times_asked + 1,
          ask_after = now() + least(power(2, times_asked), 300) * interval '1 second'
   WHERE id IN (SELECT id FROM attempts WHERE outcome = 'open' AND ask_after <= now()
                ORDER BY ask_after LIMIT 32 FOR UPDATE SKIP LOCKED)
   RETURNING id, charge_id`,
)

/** Charges whose hold is over; one that could not be released is tried again a minute later. */
export const findEndedHolds = statement<{ id: string }>(
  'find_ended_holds',
  `SELECT id FROM charges
   WHERE status = 'pending' AND open_attempt_id IS NULL AND hold_expires_at <= now()
     AND (updated_at < hold_expires_at OR updated_at <= now() - interval '1 minute')
   ORDER BY hold_expires_at LIMIT 32`,
)
