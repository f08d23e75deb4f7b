import type { CHARGE_CHANGES } from '../../../contract/api/charges/charge-resource.ts'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import { actorOf } from './charge.ts'
import type { Attempt, Charge, ChargeStatus, Outcome } from './charge.ts'

/** The event of a charge, for its merchant and the audit log. */
export interface ChargeEvent {
  type: ChargeEventType
  actor: Actor
  /** Amount in cents; `status` is the charge's after it. */
  facts: Readonly<Record<string, string | number>>
}

/** Merchants are told of every event but `release_failed`, which is for the audit log alone: the release is tried again. */
type ChargeEventType = `charge.${(typeof CHARGE_CHANGES)[number]}` | 'charge.release_failed'

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
