import * as v from 'valibot'
import { CentsLeft } from '../../../contract/api/fields/amount.ts'
import type { Cents } from '../../../contract/api/fields/amount.ts'
import { ServiceError } from '../../platform/errors.ts'
import { isExpired, refundableOf, statusesFor } from './charge.ts'
import type { AttemptType, Charge } from './charge.ts'

/** Whether funds may be held: the merchant needs the Pre-Auth feature; throws `feature_not_enabled`. */
export function decideSale({ preAuth }: { preAuth: boolean }, capture: boolean): void {
  if (!capture && !preAuth) {
    throw new ServiceError(
      'feature_not_enabled',
      'Holding funds (capture=false) needs the Pre-Auth feature. Ask the operator to turn it on.',
    )
  }
}

/** How much a capture takes: all, or the part asked for. Throws what the state table says (contract §4). */
export function decideCapture(charge: Charge, asked: Cents | undefined): Cents {
  refuseUnlessHeld(charge, 'capture', 'captured')
  if (asked !== undefined && asked > charge.amount) {
    throw new ServiceError('amount_exceeds_authorised', 'A capture can take what was authorised at most.')
  }
  return asked ?? charge.amount
}

/** Throws unless the charge can be cancelled. */
export function decideCancel(charge: Charge): void {
  refuseUnlessHeld(charge, 'cancel', 'cancelled')
}

/** How much a refund gives back: all that is left, or the part asked for (contract §4). */
export function decideRefund(charge: Charge, asked: Cents | undefined): Cents {
  if (charge.openAttemptId !== null) throw movedMeanwhile()
  refuseUnlessAllowed(
    charge,
    'refund',
    charge.status === 'pending' ? 'refunded. Cancel it to release the funds' : 'refunded',
  )
  const left = v.parse(CentsLeft, refundableOf(charge))
  if (asked !== undefined && asked > left) {
    throw new ServiceError('amount_exceeds_captured', 'Refunds can give back what was captured at most.')
  }
  return asked ?? left
}

/** Whether its hold is over: the funds are released or will be. */
export function isTooLateToCapture(charge: Charge): boolean {
  return isExpired(charge) || (charge.status === 'pending' && charge.isHoldOver)
}

function refuseUnlessHeld(charge: Charge, type: AttemptType, done: string): void {
  if (isTooLateToCapture(charge)) {
    throw new ServiceError(
      'authorisation_expired',
      'The hold is over, and the funds are released or will be. Make a new charge to ask for them again.',
    )
  }
  if (charge.openAttemptId !== null) throw movedMeanwhile()
  refuseUnlessAllowed(charge, type, done)
}

function refuseUnlessAllowed({ status }: Charge, type: AttemptType, done: string): void {
  const allowed = statusesFor(type)
  if (allowed.includes(status)) return
  throw new ServiceError(
    'unfulfilled_condition',
    `The charge is ${status}; only a ${allowed.join(' or ')} charge can be ${done}.`,
  )
}

/** Another movement of this charge is under way, or its outcome is still being asked for. */
export function movedMeanwhile(): ServiceError {
  return new ServiceError(
    'request_in_progress',
    'Another request is moving this charge. Read the charge in a moment, then decide again.',
    { retryAfter: 1 },
  )
}
