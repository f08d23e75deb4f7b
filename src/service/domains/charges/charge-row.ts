import type { Cents } from '../../../contract/api/amount.ts'
import type { DeclineReason } from '../gateways/gateway.ts'
import type { Attempt, AttemptType, Charge, ChargeStatus, Outcome } from './charge.ts'

/** A charge joined with one of its attempts. */
export interface ChargeRow {
  id: string
  merchant_id: string
  gateway_id: string
  token_hash: Buffer
  status: ChargeStatus
  pre_auth: boolean
  amount: Cents
  currency: string
  reference: string | null
  description: string | null
  customer: Record<string, string>
  payment_source: Record<string, unknown> & { gateway_type: string }
  source_ip: string | null
  is_hold_over: boolean
  age_ms: number
  open_attempt_id: string | null
  version: number
  created_at: Date
  updated_at: Date
  attempt_id: string
  type: AttemptType
  reason: 'authorisation_expired' | null
  attempt_reference: string | null
  attempt_amount: Cents
  outcome: Outcome
  decline_reason: DeclineReason | null
  gateway_code: string | null
  gateway_description: string | null
  external_id: string | null
  external_reference: string | null
  attempt_source_ip: string | null
  attempt_created_at: Date
  settled_at: Date | null
}

/** Rows, those of one charge next to each other → charges with their attempts, in the rows' order. */
export function toCharges(rows: readonly ChargeRow[]): Charge[] {
  const byId = new Map<string, ChargeRow[]>()
  for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row])
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
    sourceIp: row.attempt_source_ip,
    createdAt: row.attempt_created_at,
    settledAt: row.settled_at,
  }
}
