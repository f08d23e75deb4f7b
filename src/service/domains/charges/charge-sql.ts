import { statement } from '../../platform/database/database.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import type { ChargeRow } from './charge-row.ts'

/** The column keeps milliseconds and rounds: `now()` itself would be stored up to half of one ahead, and not be due yet. */
const AT_ONCE = "date_trunc('milliseconds', now())"

/** How long after it was written an attempt without an outcome is asked for: longer than any answer may take. */
export const ASK_AFTER = "interval '8 seconds'"

/** In the order in which they can happen, also where the clock was set back between them. */
const IN_ORDER = "CASE a.type WHEN 'sale' THEN 0 WHEN 'refund' THEN 2 ELSE 1 END, a.created_at, a.id"

const columns = `
  c.id, c.merchant_id, c.gateway_id, c.token_hash, c.status, c.pre_auth, c.amount, c.currency, c.reference, c.description,
  c.customer, c.payment_source, c.source_ip, coalesce(c.hold_expires_at <= now(), false) AS is_hold_over,
  (extract(epoch FROM now() - c.created_at) * 1000)::float8 AS age_ms,
  c.open_attempt_id, c.version, c.created_at, c.updated_at,
  a.id AS attempt_id, a.type, a.reason, a.reference AS attempt_reference, a.amount AS attempt_amount, a.outcome, a.decline_reason, a.gateway_code,
  a.gateway_description, a.external_id, a.external_reference, a.source_ip AS attempt_source_ip,
  a.created_at AS attempt_created_at, a.settled_at`

export const findCharge = statement<ChargeRow>(
  'find_charge',
  `SELECT ${columns} FROM charges c JOIN attempts a ON a.charge_id = c.id
   WHERE c.id = $1 ORDER BY ${IN_ORDER}`,
)

/** A page of a merchant's charges that pass a filter, newest first. */
export const listCharges = statement<ChargeRow>(
  'list_charges',
  `SELECT ${columns} FROM (
     SELECT * FROM charges
     WHERE merchant_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3))
       AND ($4::text IS NULL OR status = $4) AND ($5::text IS NULL OR reference = $5)
       AND ($6::timestamptz IS NULL OR created_at >= $6) AND ($7::timestamptz IS NULL OR created_at < $7)
     ORDER BY created_at DESC, id DESC LIMIT $8 OFFSET $9
   ) c JOIN attempts a ON a.charge_id = c.id
   ORDER BY c.created_at DESC, c.id DESC, ${IN_ORDER}`,
)

const writeAttempt = (source: string) => `
  INSERT INTO attempts (id, charge_id, type, reason, amount, source_ip, reference, request_key, request_hash,
                        outcome, ask_after)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, 'open', now() + ${ASK_AFTER} FROM ${source}`

/** The parts of a token's statements that a sale runs within its own; `token` is its hash. */
export interface TokenClaim {
  take: (names: { token: string; merchant: string; attempt: string }) => string
  spend: (names: { token: string; attempt: string }) => string
  release: (names: { token: string; attempt: string }) => string
}

/** Takes the token, writes the charge and its first attempt: all of it or, without a row, nothing. */
export const beginSale = ({ take }: TokenClaim) =>
  statement<{ created_at: Date }>(
    'begin_sale',
    `WITH taken AS (${take({ token: '$10', merchant: '$11', attempt: '$1' })}),
     charge AS (
       INSERT INTO charges (id, merchant_id, gateway_id, token_hash, status, pre_auth, amount, currency, reference,
                            description, customer, payment_source, source_ip, open_attempt_id)
       SELECT $2, $11, $12, $10, 'processing', $13, $5, $14, $15, $16, $17, $18, $6, $1 FROM taken
       RETURNING created_at
     ), attempt AS (${writeAttempt('charge')})
     SELECT created_at FROM charge`,
  )

/**
 * Writes the attempt to capture, cancel or refund if the charge is still as it was read and nothing else is under
 * way: of many racers one gets a row. `$11`: the status it must have; `$12`: whether the hold's time must be over.
 */
export const beginFollowUp = statement<{ created_at: Date }>(
  'begin_follow_up',
  `WITH moved AS (
     UPDATE charges SET open_attempt_id = $1, version = version + 1, updated_at = now()
     WHERE id = $2 AND version = $10 AND status = $11 AND open_attempt_id IS NULL
       AND (status <> 'pending' OR (hold_expires_at <= now()) = $12)
     RETURNING updated_at
   ), attempt AS (${writeAttempt('moved')})
   SELECT updated_at AS created_at FROM moved`,
)

// Nothing was done: the same request may come again and is then carried out. A lost sale has used up its token, so
// its key goes on to say what became of it.
const NOTHING_DONE = "$2 = 'unreachable' OR ($2 = 'not_received' AND type <> 'sale')"

const recordOutcome = `
  recorded AS (
    UPDATE attempts SET outcome = $2, decline_reason = $3, gateway_code = $4, gateway_description = $5,
                        external_id = $6, external_reference = $7, settled_at = now(),
                        request_key = CASE WHEN ${NOTHING_DONE} THEN NULL ELSE request_key END
    WHERE id = $1 AND outcome = 'open' RETURNING charge_id, created_at, settled_at
  )`
/** The attempt's id is its event's: an attempt is settled once. */
const tell = (writeEvent: WriteEvent) =>
  writeEvent({
    id: '$1',
    merchant: '$10',
    type: '$11',
    subject: 'charge_id',
    actor: '$12',
    facts: '$13',
    from: 'recorded',
  })
const moveCharge = `
  UPDATE charges SET status = $8, open_attempt_id = NULL, version = version + 1, updated_at = now(),
                     hold_expires_at = coalesce(recorded.created_at + $9 * interval '1 second', hold_expires_at)
  FROM recorded WHERE charges.id = recorded.charge_id
  RETURNING recorded.settled_at`

/** Records what became of a sale, and spends the token or gives it back, together. */
export const settleSale = (tokens: TokenClaim, writeEvent: WriteEvent) => {
  const names = { token: '$14', attempt: '$1' }
  const settle = (part: string, sql: string) =>
    statement<{ settled_at: Date }>(
      `settle_sale_${part}`,
      `WITH ${recordOutcome}, token AS (${sql} AND EXISTS (SELECT 1 FROM recorded)),
       event AS (${tell(writeEvent)}) ${moveCharge}`,
    )
  return { spend: settle('spend', tokens.spend(names)), release: settle('release', tokens.release(names)) }
}

/** An attempt that was sent got no answer: it may be asked for at once, and the card of a sale is not needed again. */
export const leaveOpen = ({ spend }: TokenClaim) =>
  statement(
    'leave_open',
    `WITH token AS (${spend({ token: '$1', attempt: '$2' })})
     UPDATE attempts SET ask_after = ${AT_ONCE} WHERE id = $2 AND outcome = 'open'`,
  )

/** The attempt that a request made when it came before; `is_due` when nobody waits for its answer any more. */
export const findByRequest = statement<{
  id: string
  charge_id: string
  request_hash: string
  is_due: boolean
}>(
  'find_by_request',
  'SELECT id, charge_id, request_hash, ask_after <= now() AS is_due FROM attempts WHERE request_key = $1',
)

/** Lets go of the keys of requests that are 30 days old (contract §2). */
export const forgetRequests = statement(
  'forget_requests',
  `UPDATE attempts SET request_key = NULL
   WHERE request_key IS NOT NULL AND created_at <= now() - interval '30 days'`,
)

/** Records what became of a capture, cancel or refund. */
export const settleFollowUp = (writeEvent: WriteEvent) =>
  statement<{ settled_at: Date }>(
    'settle_follow_up',
    `WITH ${recordOutcome}, event AS (${tell(writeEvent)}) ${moveCharge}`,
  )
