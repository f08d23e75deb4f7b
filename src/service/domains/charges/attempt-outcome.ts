import type { CHARGE_CHANGES } from '../../../contract/api/charges/charge-resource.ts'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import { nextState } from '../../platform/state-machine.ts'
import type { GatewayAnswer } from '../gateways/gateway.ts'
import { actorOf, attemptMoves, statusAfter } from './charge.ts'
import type { Attempt, Charge, ChargeStatus, KnownOutcome, Outcome } from './charge.ts'

/** An answer that settles an attempt. */
export type FinalAnswer = Exclude<GatewayAnswer, { kind: 'unknown' }> | { kind: 'not_received' }

/** What a gateway's answer changes: the attempt, its charge, and the event that tells of it. */
export interface OutcomeChange {
  /** With its outcome. */
  attempt: Attempt & { outcome: KnownOutcome }
  /** The charge's new status. */
  status: ChargeStatus
  /** How long the funds are held from now on; null unless the answer begins a hold. */
  holdSeconds: number | null
  event: ChargeEvent
}

/**
 * Decides what the answer to an open attempt changes. `enteredBy`: the operator who entered the outcome; null if the gateway gave it.
 * Throws if the attempt has an outcome already, or its charge can't go where that leads.
 */
export function changeBy(
  charge: Charge,
  attempt: Attempt,
  answer: FinalAnswer,
  enteredBy: string | null,
): OutcomeChange {
  const outcome = outcomeAfter(attempt, answer.kind)
  const settled = { ...attempt, ...factsOf(answer), outcome }
  const status = statusAfter(charge, settled, outcome)
  const holdSeconds = answer.kind === 'approved' && status === 'pending' ? answer.holdSeconds : null
  const event = chargeEvent(charge, settled, status)
  const facts = enteredBy === null ? event.facts : { ...event.facts, entered_by: enteredBy }
  return { attempt: settled, status, holdSeconds, event: { ...event, facts } }
}

function factsOf(answer: FinalAnswer): Partial<Attempt> {
  if (answer.kind !== 'approved' && answer.kind !== 'declined') return {}
  const { code, description, externalId, externalReference } = answer
  return {
    declineReason: answer.kind === 'declined' ? answer.reason : null,
    gatewayCode: code,
    gatewayDescription: description,
    externalId,
    externalReference,
  }
}

/** The outcome that the gateway gave an attempt; throws if the attempt already has one. */
export function outcomeAfter(attempt: Attempt, given: KnownOutcome): KnownOutcome {
  if (nextState(attemptMoves, attempt.outcome, given) === given) return given
  throw new Error(`an attempt that is ${attempt.outcome} can't be ${given}`)
}

/** The event of a charge, for its merchant and the audit log. */
export interface ChargeEvent {
  type: ChargeEventType
  actor: Actor
  /** Amount in cents; `status` is the charge's after it. */
  facts: Readonly<Record<string, string | number>>
}

/** The events of attempts. Merchants hear of every one but `release_failed`, which is for the audit log alone: the release is tried again. */
type ChargeEventType =
  | `charge.${Exclude<(typeof CHARGE_CHANGES)[number], 'updated'>}`
  | 'charge.release_failed'

/** The event of an attempt that has its outcome; `status` is the charge's after it (contract §4, state table). */
export function chargeEvent(charge: Charge, settled: Attempt, status: ChargeStatus): ChargeEvent {
  const { type, outcome, amount, declineReason } = settled
  return {
    type: typeOf(settled, outcome, status),
    actor: actorOf(settled),
    facts: {
      attempt: type,
      outcome,
      amount,
      currency: charge.currency,
      status,
      ...(declineReason !== null && { decline_reason: declineReason }),
    },
  }
}

function typeOf({ type, reason }: Attempt, outcome: Outcome, status: ChargeStatus): ChargeEventType {
  const isApproved = outcome === 'approved'
  switch (type) {
    case 'sale':
      if (!isApproved) return 'charge.failed'
      return status === 'pending' ? 'charge.authorised' : 'charge.captured'
    case 'capture':
      return isApproved ? 'charge.captured' : 'charge.capture_failed'
    case 'refund':
      return isApproved ? 'charge.refunded' : 'charge.refund_failed'
    case 'cancel':
      // A gateway may say that a hold whose time is over is gone already.
      if (reason !== null) return status === 'cancelled' ? 'charge.expired' : 'charge.release_failed'
      return isApproved ? 'charge.cancelled' : 'charge.cancel_failed'
  }
}
