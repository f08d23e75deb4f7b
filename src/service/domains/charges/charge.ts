import * as v from 'valibot'
import type { WordsChange } from '../../../contract/api/charges/charge-request.ts'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import { CentsLeft } from '../../../contract/api/fields/amount.ts'
import type { Cents } from '../../../contract/api/fields/amount.ts'
import type {
  CHARGE_STATUSES,
  CustomerResource,
  PaymentSourceResource,
} from '../../../contract/api/charges/charge-resource.ts'
import { hasRoom, merged, tooMany } from '../../../contract/api/fields/metadata.ts'
import type { Metadata } from '../../../contract/api/fields/metadata.ts'
import type { IdempotentRequest } from '../../platform/idempotency.ts'
import type { DeclineReason } from '../gateways/gateway.ts'
import type { AttemptAuthentication } from './authentication.ts'
import { invalidField, ServiceError } from '../../platform/errors.ts'
import { toAmount } from '../../platform/money.ts'
import { nextState, statesFor } from '../../platform/state-machine.ts'
import type { Moves } from '../../platform/state-machine.ts'

export type ChargeStatus = (typeof CHARGE_STATUSES)[number]

/** What happens to a charge when an attempt has its outcome. */
type ChargeAction =
  | 'asked_to_authenticate'
  | 'left'
  | 'held'
  | 'taken'
  | 'refused'
  | 'captured'
  | 'cancelled'
  | 'partly_refunded'
  | 'refunded'
  | 'capture_undone'
  | 'money_lost'
  | 'cancel_undone'
  | 'refund_undone'

/**
 * Where a charge can go (contract §4, state table). `processing`: its first attempt has no outcome yet. `pre_authentication_pending`: nor
 * can it have, as the bank asks the card holder first; `left`: nobody finished that. `…_undone`: the gateway says later that it did not carry
 * that out. `money_lost`: it did not take the money, and there is no hold to capture any more.
 */
export const chargeMoves: Moves<ChargeStatus, ChargeAction> = {
  processing: {
    asked_to_authenticate: 'pre_authentication_pending',
    held: 'pending',
    taken: 'complete',
    refused: 'failed',
    left: 'not_authenticated',
  },
  pre_authentication_pending: {
    held: 'pending',
    taken: 'complete',
    refused: 'failed',
    left: 'not_authenticated',
  },
  pending: { captured: 'complete', cancelled: 'cancelled' },
  complete: {
    partly_refunded: 'complete',
    refunded: 'refunded',
    capture_undone: 'pending',
    money_lost: 'failed',
    refund_undone: 'complete',
  },
  cancelled: { cancel_undone: 'pending' },
  failed: {},
  not_authenticated: {},
  refunded: { refund_undone: 'complete' },
}

/**
 * A `sale` is the first attempt of every charge: it authorises, and unless the funds are only held it captures too. A `reversal` says that
 * an approved attempt did not come about after all.
 */
export type AttemptType = 'sale' | 'capture' | 'cancel' | 'refund' | 'reversal'

/** An attempt that a gateway is asked for. */
export type MovementType = Exclude<AttemptType, 'reversal'>

/**
 * Why there is an attempt that no merchant asked for. `authorisation_expired`: the service released a hold whose time was over;
 * `expired_at_gateway`: the gateway says that it has released one; `told_by_gateway`: it says what was done there, by hand mostly.
 */
export type AttemptReason = 'authorisation_expired' | 'expired_at_gateway' | 'told_by_gateway'

/** How an attempt ended; `open` until the gateway has answered. */
export type Outcome = 'open' | 'approved' | 'declined' | 'unreachable' | 'not_received'

export type KnownOutcome = Exclude<Outcome, 'open'>

/** What happens to an attempt: the gateway is asked about it again and again until its outcome is known. */
export type AttemptAction = KnownOutcome | 'left_open' | 'asked_for'

/** The outcomes of an attempt: the first that is recorded counts, and no other is recorded after it. */
export const attemptMoves: Moves<Outcome, AttemptAction> = {
  open: {
    left_open: 'open',
    asked_for: 'open',
    approved: 'approved',
    declined: 'declined',
    unreachable: 'unreachable',
    not_received: 'not_received',
  },
  approved: {},
  declined: {},
  unreachable: {},
  not_received: {},
}

/**
 * How an attempt of each type moves its charge when it succeeds. A sale may also be `taken`, and a refund `partly_refunded`:
 * these begin in the same statuses.
 */
const SUCCESS: Readonly<Record<MovementType, ChargeAction>> = {
  sale: 'held',
  capture: 'captured',
  cancel: 'cancelled',
  refund: 'refunded',
}

/** The statuses of a charge in which an attempt of this type may begin. */
export function statusesFor(type: MovementType): readonly ChargeStatus[] {
  return statesFor(chargeMoves, SUCCESS[type])
}

/** One try to authorise, capture, cancel or refund, written before the gateway is called; or what the gateway told of its own accord. */
export interface Attempt {
  id: string
  type: AttemptType
  /** Null when the merchant asked for it. */
  reason: AttemptReason | null
  /** The attempt that a reversal is of; null of any other. */
  reverses: string | null
  amount: Cents
  /** The merchant's own reference of a refund. */
  reference: string | null
  outcome: Outcome
  declineReason: DeclineReason | null
  gatewayCode: string | null
  gatewayDescription: string | null
  externalId: string | null
  externalReference: string | null
  /** Of a sale: how the card holder's bank took part; null if it did not. */
  authentication: AttemptAuthentication | null
  /** The user who asked for it on the dashboard; null when it was anything else. */
  userId: string | null
  sourceIp: string | null
  createdAt: Date
  settledAt: Date | null
}

/** The card as it is kept, its address as the form or the merchant spelled it. `ref_token` is derived from the sale. */
export type KeptPaymentSource = Omit<PaymentSourceResource, 'ref_token'> &
  Readonly<Partial<Record<'address_city' | 'address_state' | 'address_postcode' | 'address_country', string>>>

export interface Charge {
  id: string
  merchantId: string
  gatewayId: string
  gatewayType: string
  /** Of the one-time token that pays it; the token itself is kept nowhere. */
  tokenHash: Buffer
  status: ChargeStatus
  /** Funds are held first and captured later. */
  preAuth: boolean
  amount: Cents
  currency: string
  reference: string | null
  description: string | null
  /** What the card's statement is to say; null leaves it to the gateway account. */
  statementDescriptor: string | null
  metadata: Metadata
  /** Changes of the merchant's words, oldest first. */
  edits: readonly Edit[]
  /** What is disputed of it, after each change of that, oldest first. */
  disputeSums: readonly DisputeSums[]
  /** The customer and the card as the wire shows them. */
  customer: Readonly<Omit<CustomerResource, 'payment_source'>>
  paymentSource: Readonly<KeptPaymentSource>
  sourceIp: string | null
  /** By the database's clock. */
  isHoldOver: boolean
  /** Its age when it was read, in ms by the database's clock. */
  ageMs: number
  openAttemptId: string | null
  version: number
  createdAt: Date
  updatedAt: Date
  /** Oldest first. */
  attempts: readonly Attempt[]
}

/** One change of a charge's reference, description or metadata. */
export interface Edit {
  /** Of its event. */
  id: string
  at: Date
}

/** How much of a charge is disputed, won disputes aside, and how much was charged back, from `at` on; in cents. */
export interface DisputeSums {
  disputed: number
  chargedBack: number
  at: Date
}

/** A charge before it is written, with the id of the attempt that authorises it. */
export type NewCharge = Omit<
  Charge,
  'createdAt' | 'updatedAt' | 'attempts' | 'edits' | 'disputeSums' | 'isHoldOver' | 'ageMs' | 'version'
>

/** An attempt before it is written. */
export type NewAttempt = Pick<Attempt, 'id' | 'amount' | 'userId' | 'sourceIp' | 'reference'> & {
  type: MovementType
  /** Why the service asks for it; null when the merchant does. */
  reason: 'authorisation_expired' | null
  /** The request that asks for it; null if it has no idempotency key. */
  idempotentRequest: IdempotentRequest | null
}

/** The status of a charge after an attempt's outcome; throws if the table has no such move. */
export function statusAfter(charge: Charge, attempt: Attempt, outcome: KnownOutcome): ChargeStatus {
  const action = actionOf(charge, attempt, outcome)
  if (action === null) return charge.status
  const next = nextState(chargeMoves, charge.status, action)
  if (next === null) throw new Error(`a charge that is ${charge.status} can't be ${action}`)
  return next
}

/** What an outcome does to its charge. Null for a capture, cancel or refund that failed: the charge stays as it was. */
export function actionOf(charge: Charge, attempt: Attempt, outcome: Outcome): ChargeAction | null {
  const isApproved = outcome === 'approved'
  switch (attempt.type) {
    case 'sale':
      return isApproved ? (charge.preAuth ? 'held' : 'taken') : refusedBy(attempt)
    case 'capture':
      return isApproved ? 'captured' : null
    case 'cancel':
      return isApproved || isHoldGone(attempt, outcome) ? 'cancelled' : null
    case 'refund':
      return isApproved ? giving(charge, attempt) : null
    case 'reversal':
      return undoing(charge, attempt)
  }
}

const refusedBy = ({ declineReason }: Attempt): ChargeAction =>
  declineReason === 'not_authenticated' ? 'left' : 'refused'

function giving(charge: Charge, { amount }: Attempt): ChargeAction {
  return amount < refundableOf(charge) ? 'partly_refunded' : 'refunded'
}

function undoing(charge: Charge, reversal: Attempt): ChargeAction {
  switch (reversedTypeOf(charge, reversal)) {
    case 'sale':
      return 'money_lost'
    case 'capture':
      return reversal.declineReason === 'authorisation_expired' ? 'money_lost' : 'capture_undone'
    case 'cancel':
      return 'cancel_undone'
    case 'refund':
      return 'refund_undone'
    case null:
      throw new Error(`the reversal ${reversal.id} is of no attempt`)
  }
}

/** What a reversal says did not come about; null of any other attempt. */
export function reversedTypeOf({ attempts }: Charge, { reverses }: Attempt): MovementType | null {
  const type = attempts.find(({ id }) => id === reverses)?.type
  return type === undefined || type === 'reversal' ? null : type
}

/** Once the time of a hold is over, a gateway that no longer knows the hold has released it. */
function isHoldGone({ reason, declineReason }: Attempt, outcome: Outcome): boolean {
  const isUnknownHold = declineReason === 'authorisation_expired' || declineReason === 'invalid_transaction'
  return reason === 'authorisation_expired' && outcome === 'declined' && isUnknownHold
}

/** What can still be refunded, in cents. */
export function refundableOf(charge: Charge): number {
  return capturedOf(charge) - refundedOf(charge)
}

/** What was captured, in cents; 0 while funds are only held. */
export function capturedOf(charge: Charge): number {
  const type = charge.preAuth ? 'capture' : 'sale'
  return doneOf(charge, type)[0]?.amount ?? 0
}

/** What was refunded, in cents. */
export function refundedOf(charge: Charge): number {
  return doneOf(charge, 'refund').reduce((sum, { amount }) => sum + amount, 0)
}

/** The attempts of a type that the gateway approved, and has not undone. */
function doneOf({ attempts }: Charge, type: MovementType): Attempt[] {
  const undone = new Set(attempts.map(({ reverses }) => reverses))
  return attempts.filter((one) => one.type === type && one.outcome === 'approved' && !undone.has(one.id))
}

/** Whether the gateway approved an attempt, and has not said since that it did not come about. */
export function isDone(charge: Charge, { id, outcome }: Attempt): boolean {
  return outcome === 'approved' && !charge.attempts.some(({ reverses }) => reverses === id)
}

/** Whether the card holder's bank bears a fraud; null where the gateway does not say. Nobody bears one of a sale that did not come about. */
export function isLiabilityShifted(charge: Charge, sale: Attempt): boolean | null {
  const isShifted = sale.authentication?.result?.isLiabilityShifted ?? null
  return isShifted && isDone(charge, sale)
}

/** Who asked for an attempt or told of it, as events and timelines name it. */
export function actorOf({ reason, userId }: Pick<Attempt, 'reason' | 'userId'>): Actor {
  if (isTold(reason)) return 'gateway'
  if (reason !== null) return 'service'
  return userId === null ? 'merchant' : `user:${userId}`
}

/** Whether an attempt is one that the gateway told of, and that nobody asked for here. */
export function isTold(reason: Attempt['reason']): boolean {
  return reason === 'told_by_gateway' || reason === 'expired_at_gateway'
}

/** The first attempt, which the others follow. */
export function saleOf(charge: Charge): Attempt {
  const sale = charge.attempts.find(({ type }) => type === 'sale')
  if (sale === undefined) throw new Error(`charge ${charge.id} has no sale`)
  return sale
}

/** Whether the hold was released because its time was over. */
export function isExpired(charge: Charge): boolean {
  return (
    charge.status === 'cancelled' &&
    charge.attempts.some((one) => isRelease(one) && (one.outcome !== 'approved' || isDone(charge, one)))
  )
}

/** Whether an attempt released a hold because its time was over, or tried to. */
export function isRelease({ type, reason }: Attempt): boolean {
  return type === 'cancel' && (reason === 'authorisation_expired' || reason === 'expired_at_gateway')
}

/** Throws `feature_not_enabled` if funds are to be held and the merchant does not have the Pre-Auth feature. */
export function decideAuthorisation({ preAuth }: { preAuth: boolean }, capture: boolean): void {
  if (!capture && !preAuth) {
    throw new ServiceError(
      'feature_not_enabled',
      'Holding funds (capture=false) needs the Pre-Auth feature. Ask the operator to turn it on.',
    )
  }
}

/** The amount of a capture: everything, or the part asked for. Throws what the state table says (contract §4). */
export function decideCapture(charge: Charge, asked: Cents | undefined): Cents {
  requireHeld(charge, 'capture', 'captured')
  if (asked !== undefined && asked > charge.amount) {
    throw new ServiceError('amount_exceeds_authorised', 'A capture can take what was authorised at most.')
  }
  return asked ?? charge.amount
}

/** Throws unless the charge can be cancelled. */
export function decideCancel(charge: Charge): void {
  requireHeld(charge, 'cancel', 'cancelled')
}

/** The amount of a refund: everything that is left, or the part asked for (contract §4). */
export function decideRefund(charge: Charge, asked: Cents | undefined): Cents {
  refuseWhileOpen(charge)
  requireStatusFor(
    charge,
    'refund',
    charge.status === 'pending' ? 'refunded. Cancel it to release the funds' : 'refunded',
  )
  const chargedBack = charge.disputeSums.at(-1)?.chargedBack ?? 0
  const free = refundableOf(charge) - chargedBack
  if (chargedBack > 0 && (asked ?? 1) > free)
    throw new ServiceError(
      'unfulfilled_condition',
      `The card holder’s bank has taken this money back by a dispute: a refund would pay it twice. At most ${toAmount(Math.max(free, 0)).toFixed(2)} can still be refunded.`,
    )
  const left = v.parse(CentsLeft, free)
  if (asked !== undefined && asked > left) {
    throw new ServiceError('amount_exceeds_captured', 'Refunds can give back what was captured at most.')
  }
  return asked ?? left
}

/** The most changes of its words that a charge keeps. */
const MAX_EDITS = 1000

/** A merchant's own words on a charge. */
export type ChargeWords = Pick<Charge, 'reference' | 'description' | 'metadata'>

/**
 * What a charge's words are after a change, and what that changes (`reference`, `metadata.order_id`); nothing where they are so already.
 * Throws `validation_error` if there would be too much metadata, `unfulfilled_condition` after the 1,000th change.
 */
export function decideEdit(
  charge: Charge,
  { reference = charge.reference, description = charge.description, metadata: change = {} }: WordsChange,
): { words: ChargeWords; changed: readonly string[] } {
  const metadata = merged(charge.metadata, change)
  if (!hasRoom(metadata)) throw invalidField('metadata', tooMany())
  const names = Object.keys(change).filter((name) => metadata[name] !== charge.metadata[name])
  const changed = [
    ...(reference === charge.reference ? [] : ['reference']),
    ...(description === charge.description ? [] : ['description']),
    ...names.map((name) => `metadata.${name}`),
  ]
  if (changed.length > 0 && charge.edits.length >= MAX_EDITS)
    throw new ServiceError(
      'unfulfilled_condition',
      'The words of this charge were changed 1,000 times, and are changed no more. Keep what changes so often in your own system.',
    )
  return { words: { reference, description, metadata }, changed }
}

/** Whether the hold's time is over: the funds are released or will be. */
export function isTooLateToCapture(charge: Charge): boolean {
  return isExpired(charge) || (charge.status === 'pending' && charge.isHoldOver)
}

function requireHeld(charge: Charge, type: MovementType, done: string): void {
  if (isTooLateToCapture(charge)) {
    throw new ServiceError(
      'authorisation_expired',
      'The hold is over, and the funds are released or will be. Make a new charge to ask for them again.',
    )
  }
  refuseWhileOpen(charge)
  requireStatusFor(charge, type, done)
}

function requireStatusFor({ status }: Charge, type: MovementType, done: string): void {
  const allowed = statusesFor(type)
  if (allowed.includes(status)) return
  throw new ServiceError(
    'unfulfilled_condition',
    `The charge is ${status}; only a ${allowed.join(' or ')} charge can be ${done}.`,
  )
}

function refuseWhileOpen({ status, openAttemptId }: Charge): void {
  if (openAttemptId === null) return
  if (status === 'pre_authentication_pending')
    throw new ServiceError(
      'request_in_progress',
      'The card holder’s bank is asking them, and nothing was taken. Decide again once the charge is no longer pre_authentication_pending.',
      { retryAfter: 5 },
    )
  throw requestInProgress()
}

/** The answer while another attempt of the charge is under way or has no outcome yet. */
export function requestInProgress(): ServiceError {
  return new ServiceError(
    'request_in_progress',
    'Another request is moving this charge. Read the charge in a moment, then decide again.',
    { retryAfter: 1 },
  )
}
