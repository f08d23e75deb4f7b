import {
  bool,
  bytea,
  cents,
  float8,
  integer,
  json,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import type { DeclineReason } from '../../gateways/gateway.ts'
import type { Attempt, AttemptType, Charge, ChargeStatus, Outcome } from '../charge.ts'

/** The columns of a charge joined with one of its attempts. */
export const chargeColumns = {
  id: text,
  merchant_id: text,
  gateway_id: text,
  token_hash: bytea,
  status: textOf<ChargeStatus>(),
  pre_auth: bool,
  amount: cents,
  currency: text,
  reference: nullable(text),
  description: nullable(text),
  customer: json<Charge['customer']>(),
  payment_source: json<Charge['paymentSource']>(),
  source_ip: nullable(text),
  is_hold_over: bool,
  age_ms: float8,
  open_attempt_id: nullable(text),
  version: integer,
  created_at: timestamptz,
  updated_at: timestamptz,
  attempt_id: text,
  type: textOf<AttemptType>(),
  reason: nullable(textOf<'authorisation_expired'>()),
  attempt_reference: nullable(text),
  attempt_amount: cents,
  outcome: textOf<Outcome>(),
  decline_reason: nullable(textOf<DeclineReason>()),
  gateway_code: nullable(text),
  gateway_description: nullable(text),
  external_id: nullable(text),
  external_reference: nullable(text),
  user_id: nullable(text),
  attempt_source_ip: nullable(text),
  attempt_created_at: timestamptz,
  settled_at: nullable(timestamptz),
}
type ChargeRow = ValuesOf<typeof chargeColumns>

/** Rows of charges joined with their attempts → charges, both in the rows' order. */
export function toCharges(rows: readonly ChargeRow[]): Charge[] {
  const byId = new Map<string, ChargeRow[]>()
  for (const row of rows) {
    const known = byId.get(row.id)
    if (known === undefined) byId.set(row.id, [row])
    else known.push(row)
  }
  return [...byId.values()].map(toCharge)
}

function toCharge(rows: readonly ChargeRow[]): Charge {
  const [row] = rows
  if (row === undefined) throw new Error('a charge has at least one attempt')
  return {
    id: row.id,
    merchantId: row.merchant_id,
    gatewayId: row.gateway_id,
    gatewayType: row.payment_source.gateway_type,
    tokenHash: row.token_hash,
    status: row.status,
    preAuth: row.pre_auth,
    amount: row.amount,
    currency: row.currency,
    reference: row.reference,
    description: row.description,
    customer: row.customer,
    paymentSource: row.payment_source,
    sourceIp: row.source_ip,
    isHoldOver: row.is_hold_over,
    ageMs: row.age_ms,
    openAttemptId: row.open_attempt_id,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    attempts: rows.map(toAttempt),
  }
}

function toAttempt(row: ChargeRow): Attempt {
  return {
    id: row.attempt_id,
    type: row.type,
    reason: row.reason,
    amount: row.attempt_amount,
    reference: row.attempt_reference,
    outcome: row.outcome,
    declineReason: row.decline_reason,
    gatewayCode: row.gateway_code,
    gatewayDescription: row.gateway_description,
    externalId: row.external_id,
    externalReference: row.external_reference,
    userId: row.user_id,
    sourceIp: row.attempt_source_ip,
    createdAt: row.attempt_created_at,
    settledAt: row.settled_at,
  }
}
