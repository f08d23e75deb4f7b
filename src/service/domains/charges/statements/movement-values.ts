import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import type { IdempotentRequest } from '../../../platform/idempotency.ts'
import type { Attempt, Charge, ChargeStatus, KnownOutcome } from '../charge.ts'
import type { ChargeEvent } from '../charge-event.ts'
import type { attemptTypes, outcomeTypes, saleTypes } from './movement-sql.ts'

/** A charge as it begins, with the one attempt that begins it. */
export type NewCharge = Omit<
  Charge,
  'createdAt' | 'updatedAt' | 'attempts' | 'isHoldOver' | 'ageMs' | 'version'
>

export type NewAttempt = Pick<
  Attempt,
  'id' | 'type' | 'reason' | 'amount' | 'userId' | 'sourceIp' | 'reference'
> & {
  /** The request that asks for it, if it may come again. */
  idempotentRequest: IdempotentRequest | null
}

/** What the gateway's answer means for an attempt and its charge. */
export interface Settlement {
  /** As the answer has left it. */
  attempt: Attempt & { outcome: KnownOutcome }
  /** The charge's, from now on. */
  status: ChargeStatus
  /** How long the funds are held from now on; null where the answer begins no hold. */
  holdSeconds: number | null
  /** Written with it: there is no settlement without its event. */
  event: ChargeEvent
}

export function attemptValuesOf(chargeId: string, attempt: NewAttempt): ValuesOf<typeof attemptTypes> {
  const { id, type, reason, amount, userId, sourceIp, reference, idempotentRequest } = attempt
  return {
    attempt_id: id,
    charge_id: chargeId,
    type,
    reason,
    amount,
    user_id: userId,
    source_ip: sourceIp,
    attempt_reference: reference,
    request_key: idempotentRequest?.key ?? null,
    request_hash: idempotentRequest?.hash ?? null,
  }
}

/** What a sale writes beside its attempt. */
export function saleValuesOf(charge: NewCharge): ValuesOf<typeof saleTypes> {
  return {
    token_hash: charge.tokenHash,
    merchant_id: charge.merchantId,
    gateway_id: charge.gatewayId,
    pre_auth: charge.preAuth,
    currency: charge.currency,
    charge_reference: charge.reference,
    description: charge.description,
    customer: charge.customer,
    payment_source: charge.paymentSource,
  }
}

export function outcomeValuesOf(
  { merchantId }: Charge,
  { attempt, status, holdSeconds, event }: Settlement,
): ValuesOf<typeof outcomeTypes> {
  return {
    attempt_id: attempt.id,
    outcome: attempt.outcome,
    decline_reason: attempt.declineReason,
    gateway_code: attempt.gatewayCode,
    gateway_description: attempt.gatewayDescription,
    external_id: attempt.externalId,
    external_reference: attempt.externalReference,
    status,
    hold_seconds: holdSeconds,
    merchant_id: merchantId,
    event_type: event.type,
    event_actor: event.actor,
    event_facts: event.facts,
  }
}
