import type { Cents } from '../../../../contract/api/fields/amount.ts'
import type { CheckoutCustomer } from '../../../../contract/api/checkouts/checkout-request.ts'
import type {
  CHECKOUT_STATUSES,
  JOURNEY_STEPS,
} from '../../../../contract/api/checkouts/checkout-resource.ts'
import type { Configuration, Customisation } from '../../../../contract/api/checkouts/checkout-template.ts'
import type { ErrorCode } from '../../../../contract/api/envelope.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { nextState } from '../../../platform/state-machine.ts'
import type { Moves } from '../../../platform/state-machine.ts'

/** How long an intent can be paid, and its token lives (contract §5). */
export const LIFETIME_SECONDS = 16 * 60

/** How many cards may fail where the configuration does not say: it stops a thief who tries stolen cards. */
const MAX_TRIES = 10

/** What a template said when the intent was made; what it says later changes nothing. */
export interface Snapshot<Content> {
  templateId: string | null
  revision: number | null
  content: Content
}

/** Something that happened to an intent. */
export interface JourneyStep {
  step: (typeof JOURNEY_STEPS)[number]
  at: Date
  chargeId?: string
  code?: ErrorCode
}

/** What is to be paid, once, by whoever has its token. */
export interface Intent {
  id: string
  merchantId: string
  workflowVersion: number
  /** By the database's clock: one whose time is over is `expired` before a job has said so. */
  status: (typeof CHECKOUT_STATUSES)[number]
  amount: Cents
  currency: 'AUD'
  reference: string | null
  description: string | null
  customer: CheckoutCustomer
  configuration: Snapshot<Configuration>
  customisation: Snapshot<Customisation>
  /** The charge that paid it or, while it is active, that is under way. */
  chargeId: string | null
  /** Hash of the card's token in the last try. */
  paymentSourceHash: Buffer | null
  /** Payments that were begun, but for those that never reached the gateway. */
  tries: number
  journey: readonly JourneyStep[]
  /** Counts its moves. */
  revision: number
  createdAt: Date
  updatedAt: Date
  expiresAt: Date
  /** How long ago it was made when it was read, in ms by the database's clock. */
  ageMs: number
}

/** The status of an intent, where an active one with a payment under way has a status of its own. */
export type IntentState = 'payable' | 'paying' | 'completed' | 'expired' | 'cancelled'

export type IntentAction = 'view' | 'begin_payment' | 'complete' | 'fail_payment' | 'cancel' | 'expire'

/** Where an intent can go (contract §5). While a payment is under way, what became of the money comes first. */
export const intentMoves: Moves<IntentState, IntentAction> = {
  payable: { view: 'payable', begin_payment: 'paying', cancel: 'cancelled', expire: 'expired' },
  paying: { view: 'paying', complete: 'completed', fail_payment: 'payable' },
  completed: {},
  expired: {},
  cancelled: {},
}

export function intentStateOf({ status, chargeId }: Pick<Intent, 'status' | 'chargeId'>): IntentState {
  if (status !== 'active') return status
  return chargeId === null ? 'payable' : 'paying'
}

/** Throws unless a payment of this intent may begin. */
export function decidePayment(intent: Intent): void {
  const state = intentStateOf(intent)
  if (nextState(intentMoves, state, 'begin_payment') === null) throw notPayable(state)
  if (triesLeftOf(intent) === 0) {
    throw new ServiceError(
      'unfulfilled_condition',
      'Too many payments have failed, so this checkout takes no more. Go back to the shop.',
    )
  }
}

/** How many more payments of an intent may be tried. */
export function triesLeftOf({ tries, configuration }: Intent): number {
  return Math.max(0, (configuration.content.most_tries ?? MAX_TRIES) - tries)
}

/**
 * Whether somebody may still pay an intent with a new card. While its last try is under way somebody may: one that does not reach
 * the gateway counts as none.
 */
export function takesCards(intent: Intent): boolean {
  return intent.status === 'active' && (intent.chargeId !== null || triesLeftOf(intent) > 0)
}

function notPayable(state: IntentState): ServiceError {
  if (state === 'expired') return checkoutExpired()
  if (state !== 'cancelled') return paymentUnderWay()
  return new ServiceError(
    'unfulfilled_condition',
    'The shop has cancelled this checkout. Go back to the shop.',
  )
}

/** Throws unless the intent can be cancelled. */
export function decideCancel(intent: Intent): void {
  const state = intentStateOf(intent)
  if (nextState(intentMoves, state, 'cancel') !== null) return
  if (state === 'paying') throw paymentUnderWay()
  throw new ServiceError(
    'unfulfilled_condition',
    `The checkout is ${state}; only an active checkout can be cancelled.`,
  )
}

/** The intent is being paid, and what became of it is not known yet. */
function paymentUnderWay(): ServiceError {
  return new ServiceError(
    'request_in_progress',
    'A payment of this checkout is under way. Ask again in a moment; do not pay another way.',
    { retryAfter: 1 },
  )
}

export function checkoutExpired(): ServiceError {
  return new ServiceError(
    'checkout_expired',
    'The time for this payment is over and nothing was taken. Go back to the shop and check out again.',
  )
}

/**
 * Why the last payment failed, if it was made with this card's token: the answer to it may have been lost. A gateway that
 * was out of reach has left the token as it was.
 */
export function failureOf({ journey, paymentSourceHash }: Intent, asked: Buffer): ErrorCode | null {
  const last = journey.at(-1)
  if (last?.step !== 'payment_failed' || paymentSourceHash?.equals(asked) !== true) return null
  return last.code === 'gateway_unavailable' ? null : (last.code ?? null)
}
