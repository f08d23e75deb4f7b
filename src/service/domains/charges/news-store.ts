import type { Database } from '../../platform/database/database.ts'
import { bool, cents, integer, jsonb, nullable, text, textOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { eventSql } from '../../platform/events.ts'
import type { DeclineReason, News } from '../gateways/gateway.ts'
import type { ChargeEvent, OutcomeChange } from './attempt-outcome.ts'
import { afterFailedRelease } from './attempt-store.ts'
import type { AttemptReason, AttemptType, Charge, ChargeStatus } from './charge.ts'

/** Which of a merchant's gateway accounts sent news. */
export interface ToldBy {
  merchantId: string
  gatewayId: string
}

/** The charge that news is about: by the gateway's id of the payment, else by our attempt's id. */
export async function findToldCharge(
  database: Database,
  { merchantId, gatewayId }: ToldBy,
  { saleId, attemptId }: News,
): Promise<string | null> {
  const values = { merchant_id: merchantId, gateway_id: gatewayId }
  const [found] = await database.run(selectToldCharge, {
    ...values,
    sale_id: saleId ?? '',
    attempt_id: attemptId ?? '',
  })
  return found?.charge_id ?? null
}

/**
 * Writes an attempt that the gateway told of, the charge's status and the event in one statement. False if the charge has changed since it
 * was read, or the attempt is there already.
 */
export async function writeTold(
  database: Database,
  charge: Charge,
  { attempt, status, event }: OutcomeChange,
): Promise<boolean> {
  const rows = await database.grouped.run(insertTold, {
    attempt_id: attempt.id,
    charge_id: charge.id,
    type: attempt.type,
    reason: attempt.reason,
    reverses: attempt.reverses,
    amount: attempt.amount,
    decline_reason: attempt.declineReason,
    gateway_code: attempt.gatewayCode,
    gateway_description: attempt.gatewayDescription,
    external_id: attempt.externalId,
    version: charge.version,
    is_hold_over: charge.isHoldOver,
    status,
    merchant_id: charge.merchantId,
    event_type: event.type,
    event_actor: event.actor,
    event_facts: event.facts,
  })
  return rows.length > 0
}

const selectToldCharge = statement({
  name: 'find_told_charge',
  values: { merchant_id: text, gateway_id: text, sale_id: text, attempt_id: text },
  columns: { charge_id: text },
  sql: `
    SELECT c.id AS charge_id
    FROM (
      SELECT charge_id, 0 AS turn FROM attempts WHERE external_id = :sale_id AND type = 'sale'
      UNION ALL
      SELECT charge_id, 1 FROM attempts WHERE id = :attempt_id
    ) a CROSS JOIN LATERAL (SELECT id, merchant_id, gateway_id FROM charges WHERE id = a.charge_id LIMIT 1) c
    WHERE c.merchant_id = :merchant_id AND c.gateway_id = :gateway_id ORDER BY a.turn LIMIT 1`,
})

/**
 * Inserts an attempt that the gateway told of if the charge, and whether its hold is over, is still as it was read. A pending charge is one
 * that may be released again.
 */
const insertTold = statement({
  name: 'write_told',
  values: {
    attempt_id: text,
    charge_id: text,
    type: textOf<AttemptType>(),
    reason: nullable(textOf<AttemptReason>()),
    reverses: nullable(text),
    amount: cents,
    decline_reason: nullable(textOf<DeclineReason>()),
    gateway_code: nullable(text),
    gateway_description: nullable(text),
    external_id: nullable(text),
    version: integer,
    is_hold_over: bool,
    status: textOf<ChargeStatus>(),
    merchant_id: text,
    event_type: textOf<ChargeEvent['type']>(),
    event_actor: textOf<ChargeEvent['actor']>(),
    event_facts: jsonb<ChargeEvent['facts']>(),
  },
  columns: { version: integer },
  sql: `
    WITH moved AS (
      UPDATE charges SET status = :status, version = version + 1, updated_at = now(),
                         release_from = CASE WHEN :status = 'pending' THEN ${afterFailedRelease('now()')} END
      WHERE id = :charge_id AND version = :version AND open_attempt_id IS NULL
        AND coalesce(hold_expires_at <= now(), false) = :is_hold_over
        AND NOT EXISTS (SELECT FROM attempts WHERE id = :attempt_id)
      RETURNING gateway_id, version
    ), told AS (
      INSERT INTO attempts (id, charge_id, gateway_id, type, reason, reverses, amount, outcome, decline_reason, gateway_code,
                            gateway_description, external_id, ask_after, settled_at)
      SELECT :attempt_id, :charge_id, gateway_id, :type, :reason, :reverses, :amount, 'approved', :decline_reason,
             :gateway_code, :gateway_description, :external_id, now(), now() FROM moved
      RETURNING charge_id
    ), event AS (${eventSql({
      id: ':attempt_id',
      merchant: ':merchant_id',
      type: ':event_type',
      subject: 'charge_id',
      actor: ':event_actor',
      facts: ':event_facts',
      from: 'told',
    })})
    SELECT version FROM moved`,
})
