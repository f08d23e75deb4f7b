import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { Cents } from '../../../contract/api/fields/amount.ts'
import type {
  CHARGE_STATUSES,
  CustomerResource,
  PaymentSourceResource,
} from '../../../contract/api/charges/charge-resource.ts'
import type { DeclineReason } from '../gateways/gateway.ts'
import { nextState, statesFor } from '../../platform/state-machine.ts'
import type { Moves } from '../../platform/state-machine.ts'

export type ChargeStatus = (typeof CHARGE_STATUSES)[number]

/** What happens to a charge when an attempt has its outcome. */
type ChargeAction = 'held' | 'taken' | 'refused' | 'captured' | 'cancelled' | 'partly_refunded' | 'refunded'

/** Where a charge can go (contract §4, state table). `processing`: its first attempt has no outcome yet. */
export const chargeMoves: Moves<ChargeStatus, ChargeAction> = {
  processing: { held: 'pending', taken: 'complete', refused: 'failed' },
  pending: { captured: 'complete', cancelled: 'cancelled' },
  complete: { partly_refunded: 'complete', refunded: 'refunded' },
  cancelled: {},
  failed: {},
  refunded: {},
}

export type AttemptType = 'sale' | 'capture' | 'cancel' | 'refund'

/** What became of an attempt; `open` until the gateway has said it. */
export type Outcome = 'open' | 'approved' | 'declined' | 'unreachable' | 'not_received'

export type KnownOutcome = Exclude<Outcome, 'open'>

/** What happens to an attempt: it is asked for again and again until its outcome is known. */
export type AttemptAction = KnownOutcome | 'left_open' | 'asked_for'

/** The outcomes of an attempt: it is settled once, and the first recorded outcome counts. */
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
const SUCCESS: Readonly<Record<AttemptType, ChargeAction>> = {
  sale: 'held',
  capture: 'captured',
  cancel: 'cancelled',
  refund: 'refunded',
}

/** The statuses of a charge in which an attempt of this type may begin. */
export function statusesFor(type: AttemptType): readonly ChargeStatus[] {
  return statesFor(chargeMoves, SUCCESS[type])
}

/** One try to move money, written before the gateway is called. */
export interface Attempt {
  id: string
  type: AttemptType
  /** Why the service made the attempt; null when the merchant asked for it. */
  reason: 'authorisation_expired' | null
  amount: Cents
  /** The merchant's own reference of a refund. */
  reference: string | null
  outcome: Outcome
  declineReason: DeclineReason | null
  gatewayCode: string | null
  gatewayDescription: string | null
  externalId: string | null
  externalReference: string | null
  /** The user who asked for it on the dashboard; null when it was anything else. */
  userId: string | null
  sourceIp: string | null
  createdAt: Date
  settledAt: Date | null
}

/** The card as it is kept: its address as the form and the merchant named it. What the gateway knows it by follows from the sale. */
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
  /** The customer and the card as the wire shows them. */
  customer: Readonly<Omit<CustomerResource, 'payment_source'>>
  paymentSource: Readonly<KeptPaymentSource>
  sourceIp: string | null
  /** By the database's clock. */
  isHoldOver: boolean
  /** How long ago it was made when it was read, in ms by the database's clock. */
  ageMs: number
  openAttemptId: string | null
  version: number
  createdAt: Date
  updatedAt: Date
  /** Oldest first. */
  attempts: readonly Attempt[]
}

/** The outcome of an attempt once the gateway has said it; throws where the attempt had one before. */
export function outcomeAfter(attempt: Attempt, said: KnownOutcome): KnownOutcome {
  if (nextState(attemptMoves, attempt.outcome, said) === said) return said
  throw new Error(`an attempt that is ${attempt.outcome} can't be ${said}`)
}

/** The status a charge has once an attempt of it has an outcome; throws where the table has no such move. */
export function statusAfter(charge: Charge, attempt: Attempt, outcome: KnownOutcome): ChargeStatus {
  const action = actionOf(charge, attempt, outcome)
  if (action === null) return charge.status
  const next = nextState(chargeMoves, charge.status, action)
  if (next === null) throw new Error(`a charge that is ${charge.status} can't be ${action}`)
  return next
}

/** A capture or cancel that failed leaves the charge as it was. */
function actionOf(charge: Charge, attempt: Attempt, outcome: Outcome): ChargeAction | null {
  const isApproved = outcome === 'approved'
  switch (attempt.type) {
    case 'sale':
      return isApproved ? (charge.preAuth ? 'held' : 'taken') : 'refused'
    case 'capture':
      return isApproved ? 'captured' : null
    case 'cancel':
      return isApproved || isHoldGone(attempt, outcome) ? 'cancelled' : null
    case 'refund':
      if (!isApproved) return null
      return attempt.amount < refundableOf(charge) ? 'partly_refunded' : 'refunded'
  }
}

/** What was taken and not given back yet, in cents. */
export function refundableOf(charge: Charge): number {
  return takenOf(charge) - refundedOf(charge)
}

/** What was taken, in cents; 0 while funds are only held. */
export function takenOf(charge: Charge): number {
  const done = (type: AttemptType) =>
    charge.attempts.find((one) => one.type === type && one.outcome === 'approved')
  return (charge.preAuth ? done('capture') : done('sale'))?.amount ?? 0
}

/** What was given back, in cents. */
export function refundedOf(charge: Charge): number {
  const refunds = charge.attempts.filter(({ type, outcome }) => type === 'refund' && outcome === 'approved')
  return refunds.reduce((sum, { amount }) => sum + amount, 0)
}

/** A gateway that no longer knows an expired hold has released it. */
function isHoldGone({ reason, declineReason }: Attempt, outcome: Outcome): boolean {
  const isUnknownHold = declineReason === 'authorisation_expired' || declineReason === 'invalid_transaction'
  return reason === 'authorisation_expired' && outcome === 'declined' && isUnknownHold
}

/** Who asked for an attempt, as events and time lines name it. */
export function actorOf({ reason, userId }: Pick<Attempt, 'reason' | 'userId'>): Actor {
  if (reason !== null) return 'service'
  return userId === null ? 'merchant' : `user:${userId}`
}

/** The sale that the other attempts follow. */
export function saleOf(charge: Charge): Attempt {
  const sale = charge.attempts.find(({ type }) => type === 'sale')
  if (sale === undefined) throw new Error(`charge ${charge.id} has no sale`)
  return sale
}

/** Whether the hold was released because its time was over. */
export function isExpired(charge: Charge): boolean {
  return (
    charge.status === 'cancelled' &&
    charge.attempts.some(({ type, reason }) => type === 'cancel' && reason === 'authorisation_expired')
  )
}
