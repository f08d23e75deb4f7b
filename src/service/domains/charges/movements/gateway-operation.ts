import type { FollowUpOperation, FollowedSale, OpenOperation } from '../../gateways/gateway.ts'
import { attemptAge } from './attempt-age.ts'
import type { ClockSteps } from './attempt-age.ts'
import { saleOf } from '../charge.ts'
import type { Attempt, Charge } from '../charge.ts'

/** A capture, cancel or refund as it is sent to its gateway. */
export function toFollowUpOperation(
  charge: Charge,
  attempt: Attempt,
  signal: AbortSignal,
): FollowUpOperation {
  return { ...operationOf(charge, attempt, signal), sale: followedSaleOf(charge, attempt) }
}

/** An attempt without an outcome, as its gateway is asked for it. */
export function toOpenOperation(
  charge: Charge,
  attempt: Attempt,
  signal: AbortSignal,
  clockSteps: ClockSteps,
): OpenOperation {
  const seemsMs = charge.ageMs - msBetween(charge.createdAt, attempt.createdAt)
  const asked = { ...operationOf(charge, attempt, signal), ...attemptAge(seemsMs, clockSteps) }
  return attempt.type === 'sale'
    ? { ...asked, type: 'sale', capture: !charge.preAuth }
    : { ...asked, type: attempt.type, sale: followedSaleOf(charge, attempt) }
}

function operationOf({ currency }: Charge, { id, amount }: Attempt, signal: AbortSignal) {
  return { attemptId: id, amount, currency, signal }
}

function followedSaleOf(charge: Charge, attempt: Attempt): FollowedSale {
  const { externalId, amount, createdAt } = saleOf(charge)
  return {
    id: externalId ?? '',
    amount,
    capture: !charge.preAuth,
    ageMs: msBetween(createdAt, attempt.createdAt),
  }
}

function msBetween(from: Date, to: Date): number {
  return to.getTime() - from.getTime()
}
