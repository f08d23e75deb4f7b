import {
  arrayOf,
  bool,
  bytea,
  cents,
  float8,
  integer,
  json,
  jsonb,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../../platform/database/sql-types.ts'
import type { WriteEvent } from '../../../platform/write-event.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { DeclineReason } from '../../gateways/gateway.ts'
import { sqlConditionFor } from '../../../platform/state-machine.ts'
import { attemptMoves } from '../charge.ts'
import type { AttemptAction, AttemptType, Charge, ChargeStatus, KnownOutcome } from '../charge.ts'
import type { ChargeEvent } from '../charge-event.ts'
import { ASK_AFTER, AT_ONCE } from './ask-after.ts'
import { UNDER_WAY, afterFailedRelease } from './release-from.ts'

/** What is known of an attempt when it is written. */
export const attemptTypes = {
  attempt_id: text,
  charge_id: text,
  type: textOf<AttemptType>(),
  reason: nullable(textOf<'authorisation_expired'>()),
  amount: cents,
  user_id: nullable(text),
  source_ip: nullable(text),
  attempt_reference: nullable(text),
  request_key: nullable(text),
  request_hash: nullable(text),
}
const writtenColumns = { created_at: timestamptz, version: integer }
/** Written for the one row of `from`, which has the charge's `gateway_id`, or not at all. */
const writeAttempt = (from: string) => `
  INSERT INTO attempts (id, charge_id, gateway_id, type, reason, amount, user_id, source_ip, reference, request_key, request_hash,
                        outcome, ask_after)
  SELECT :attempt_id, :charge_id, gateway_id, :type, :reason, :amount, :user_id, :source_ip, :attempt_reference, :request_key, :request_hash,
         'open', now() + ${ASK_AFTER} FROM ${from}`

/** Parts of a sale's statements that take, spend or release its token; `token` is its hash, and all are SQL. */
export interface TokenClaim {
  take: (names: { token: string; merchant: string; attempt: string }) => string
  spend: (names: { token: string; attempt: string }) => string
  release: (names: { token: string; attempt: string }) => string
}

/**
 * The SQL condition that an attempt, found by its id, may take this action. Not on the bare column, or the planner would choose
 * the index of open attempts, which is full of dead entries wherever a backup or a report runs.
 */
export const attemptTakes = (action: AttemptAction): string =>
  sqlConditionFor(attemptMoves, action, (outcome) => `(outcome || '') = '${outcome}'`)

const ofToken = { token: ':token_hash', attempt: ':attempt_id' }

/** What a charge keeps of its sale, beside what its attempt has. */
export const saleTypes = {
  token_hash: bytea,
  merchant_id: text,
  gateway_id: text,
  pre_auth: bool,
  currency: text,
  charge_reference: nullable(text),
  description: nullable(text),
  customer: json<Charge['customer']>(),
  payment_source: json<Charge['paymentSource']>(),
}

/** Takes the token, writes the charge and its first attempt: all of it or, without a row, nothing. */
export const beginSale = ({ take }: TokenClaim) =>
  statement({
    name: 'begin_sale',
    values: { ...attemptTypes, ...saleTypes },
    columns: writtenColumns,
    sql: `
      WITH taken AS (${take({ ...ofToken, merchant: ':merchant_id' })}),
      charge AS (
        INSERT INTO charges (id, merchant_id, gateway_id, token_hash, status, pre_auth, amount, currency, reference,
                             description, customer, payment_source, source_ip, open_attempt_id)
        SELECT :charge_id, :merchant_id, :gateway_id, :token_hash, 'processing', :pre_auth, :amount, :currency,
               :charge_reference, :description, :customer, :payment_source, :source_ip, :attempt_id FROM taken
        RETURNING gateway_id, created_at, version
      ), attempt AS (${writeAttempt('charge')})
      SELECT created_at, version FROM charge`,
  })

/**
 * Writes the attempt to capture, cancel or refund if the charge is still as it was read and nothing else is under
 * way: of many racers one gets a row. `allowed`: the statuses that it may have; `is_hold_over`: whether the hold's time
 * must be over, so that this is a release of it.
 */
export const beginFollowUp = statement({
  name: 'begin_follow_up',
  values: { ...attemptTypes, version: integer, allowed: arrayOf(textOf<ChargeStatus>()), is_hold_over: bool },
  columns: writtenColumns,
  sql: `
    WITH moved AS (
      UPDATE charges SET open_attempt_id = :attempt_id, version = version + 1, updated_at = now(),
                         releases_tried = releases_tried + :is_hold_over::integer,
                         release_from = CASE WHEN :is_hold_over OR release_from IS NOT NULL THEN ${UNDER_WAY} END
      WHERE id = :charge_id AND version = :version AND status = ANY (:allowed) AND open_attempt_id IS NULL
        AND (status <> 'pending' OR (hold_expires_at <= now()) = :is_hold_over)
      RETURNING gateway_id, updated_at, version
    ), attempt AS (${writeAttempt('moved')})
    SELECT updated_at AS created_at, version FROM moved`,
})

// Nothing was done: the same request may come again and is then carried out. A lost sale has used up its token, so
// its key goes on to say what became of it.
const NOTHING_DONE = ":outcome = 'unreachable' OR (:outcome = 'not_received' AND type <> 'sale')"

/** What is recorded of an attempt's outcome: the attempt, its charge and the event. */
export const outcomeTypes = {
  attempt_id: text,
  outcome: textOf<KnownOutcome>(),
  decline_reason: nullable(textOf<DeclineReason>()),
  gateway_code: nullable(text),
  gateway_description: nullable(text),
  external_id: nullable(text),
  external_reference: nullable(text),
  status: textOf<ChargeStatus>(),
  hold_seconds: nullable(float8),
  merchant_id: text,
  event_type: textOf<ChargeEvent['type']>(),
  event_actor: textOf<ChargeEvent['actor']>(),
  event_facts: jsonb<ChargeEvent['facts']>(),
}
const settledColumns = { settled_at: timestamptz, version: integer }

/** `unreachable` is recorded only while nobody may have asked the gateway, which may carry out what it is asked about. */
const IS_CERTAIN = "(:outcome <> 'unreachable' OR (times_asked = 0 AND ask_after > now()))"
const recordOutcome = `
  recorded AS (
    UPDATE attempts SET outcome = :outcome, decline_reason = :decline_reason, gateway_code = :gateway_code,
                        gateway_description = :gateway_description, external_id = :external_id,
                        external_reference = :external_reference, settled_at = now(),
                        request_key = CASE WHEN ${NOTHING_DONE} THEN NULL ELSE request_key END
    WHERE id = :attempt_id AND ${attemptTakes('approved')} AND ${IS_CERTAIN} RETURNING charge_id, created_at
  )`
/** The attempt's id is its event's: an attempt is settled once. */
const writeChargeEvent = (writeEvent: WriteEvent) =>
  writeEvent({
    id: ':attempt_id',
    merchant: ':merchant_id',
    type: ':event_type',
    subject: 'charge_id',
    actor: ':event_actor',
    facts: ':event_facts',
    from: 'recorded',
  })
/** `release_from` of a hold not seen to be over stays null: a change of an indexed column adds an entry to every index of the table. */
const moveCharge = `
  UPDATE charges SET status = :status, open_attempt_id = NULL, version = version + 1, updated_at = now(),
                     hold_expires_at = coalesce(recorded.created_at + :hold_seconds * interval '1 second', hold_expires_at),
                     release_from = CASE WHEN :status = 'pending' THEN ${afterFailedRelease('now()')} END
  FROM recorded WHERE charges.id = recorded.charge_id
  RETURNING charges.updated_at AS settled_at, charges.version`

/** Records what became of a sale, and spends the token or gives it back, together. */
export const settleSale = (tokenClaim: TokenClaim, writeEvent: WriteEvent) => {
  const settle = (part: string, sql: string) =>
    statement({
      name: `settle_sale_${part}`,
      values: { ...outcomeTypes, token_hash: bytea },
      columns: settledColumns,
      sql: `
        WITH ${recordOutcome}, token AS (${sql} AND EXISTS (SELECT 1 FROM recorded)),
        event AS (${writeChargeEvent(writeEvent)}) ${moveCharge}`,
    })
  return {
    spend: settle('spend', tokenClaim.spend(ofToken)),
    release: settle('release', tokenClaim.release(ofToken)),
  }
}

/** Records what became of a capture, cancel or refund. */
export const settleFollowUp = (writeEvent: WriteEvent) =>
  statement({
    name: 'settle_follow_up',
    values: outcomeTypes,
    columns: settledColumns,
    sql: `WITH ${recordOutcome}, event AS (${writeChargeEvent(writeEvent)}) ${moveCharge}`,
  })

/** An attempt that was sent got no answer: it may be asked for at once, and the card of a sale is not needed again. */
export const leaveOpen = ({ spend }: TokenClaim) =>
  statement({
    name: 'leave_open',
    values: { attempt_id: text, token_hash: bytea },
    columns: {},
    sql: `
      WITH token AS (${spend(ofToken)})
      UPDATE attempts SET ask_after = ${AT_ONCE} WHERE id = :attempt_id AND ${attemptTakes('left_open')}`,
  })
