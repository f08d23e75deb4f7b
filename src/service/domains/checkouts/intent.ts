import type { Cents } from '../../../contract/api/fields/amount.ts'
import type { WordsChange } from '../../../contract/api/charges/charge-request.ts'
import type { CheckoutCustomer } from '../../../contract/api/checkouts/checkout-request.ts'
import type { CHECKOUT_STATUSES, JOURNEY_STEPS } from '../../../contract/api/checkouts/checkout-resource.ts'
import type { Configuration, Customisation } from '../../../contract/api/checkouts/checkout-template.ts'
import type { ErrorCode, ErrorDetail } from '../../../contract/api/envelope.ts'
import { hasRoom, merged, tooMany } from '../../../contract/api/fields/metadata.ts'
import type { Metadata } from '../../../contract/api/fields/metadata.ts'
import { invalidField, ServiceError } from '../../platform/errors.ts'
import { nextState } from '../../platform/state-machine.ts'
import type { Moves } from '../../platform/state-machine.ts'

/** How long an intent can be paid, and its token lives (contract §5). */
export const LIFETIME_SECONDS = 16 * 60

/** How many cards may fail unless the configuration says otherwise: it stops a thief who tries stolen cards. */
const MAX_TRIES = 10

/** What a template said when the intent was made; later changes of the template don't matter. */
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

/** A payment that a merchant asks for, to be paid once by whoever has its token. */
export interface Intent {
  id: string
  merchantId: string
  workflowVersion: number
  /** By the database's clock: `expired` as soon as its time is over, before the job has marked it. */
  status: (typeof CHECKOUT_STATUSES)[number]
  amount: Cents
  currency: 'AUD'
  reference: string | null
  description: string | null
  statementDescriptor: string | null
  metadata: Metadata
  /** The shop's page, for who can't pay. */
  returnUrl: string | null
  customer: CheckoutCustomer
  configuration: Snapshot<Configuration>
  customisation: Snapshot<Customisation>
  /** The charge that paid it; of an active intent, the charge under way. */
  chargeId: string | null
  /** Hash of the card's token in the last try. */
  paymentSourceHash: Buffer | null
  /** Payments that were begun, without those that never reached the gateway. */
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

/** The status of an intent; an active one is `payable`, or `paying` while a payment is under way. */
export type IntentState = 'payable' | 'paying' | 'completed' | 'expired' | 'cancelled'

export type IntentAction =
  | 'view'
  | 'edit'
  | 'begin_payment'
  | 'complete'
  | 'fail_payment'
  | 'cancel'
  | 'expire'

/** Where an intent can go (contract §5). While a payment is under way, only its outcome moves the intent. */
export const intentMoves: Moves<IntentState, IntentAction> = {
  payable: {
    view: 'payable',
    edit: 'payable',
    begin_payment: 'paying',
    cancel: 'cancelled',
    expire: 'expired',
  },
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
 * Whether an intent may still be paid with a new card. It may while its last try is under way: a try that does not reach the gateway
 * does not count.
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

/** A merchant's own words on an intent. */
export type IntentWords = Pick<Intent, 'reference' | 'description' | 'metadata'>

/**
 * What an intent's words are after a change. Throws `validation_error` if there would be too much metadata, `unfulfilled_condition` once
 * it has ended, `request_in_progress` while a payment is under way, which has taken them.
 */
export function decideEdit(intent: Intent, change: WordsChange): IntentWords {
  const state = intentStateOf(intent)
  if (state === 'paying') throw paymentUnderWay()
  if (nextState(intentMoves, state, 'edit') === null) {
    throw new ServiceError(
      'unfulfilled_condition',
      state === 'completed'
        ? 'The checkout is completed; change its charge (charge_id) instead.'
        : `The checkout is ${state}; only an active checkout can be changed.`,
    )
  }
  const metadata = merged(intent.metadata, change.metadata ?? {})
  if (!hasRoom(metadata)) throw invalidField('metadata', tooMany())
  const { reference = intent.reference, description = intent.description } = change
  return { reference, description, metadata }
}

function paymentUnderWay(): ServiceError {
  return new ServiceError(
    'request_in_progress',
    'A payment of this checkout is under way. Ask again in a moment; do not pay another way.',
    { retryAfter: 1 },
  )
}

/** The answer to a change that others came before again and again. */
export function requestInProgress(): ServiceError {
  return new ServiceError(
    'request_in_progress',
    'Other requests are changing this checkout. Read it in a moment, then decide again.',
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

/** What is known of the card behind a one-time token. */
export interface CardFacts {
  /** Names of the schemes that the card may be taken as: its own, and those that it is issued with. */
  takenAs: readonly string[]
  /** Null if any gateway may use it. */
  gatewayId: string | null
  /** Names and address that were given with it, and `card_name`. */
  given: Readonly<Record<string, string>>
}

/** Every token has these. */
const OF_EVERY_CARD = new Set(['card_number', 'expire_month', 'expire_year', 'card_ccv'])

/** Why a configuration refuses a card. The form refuses the same cards, but a page can be tampered with. */
export function faultsOf(
  card: CardFacts,
  { schemes, fields = [], gateway_id: gatewayId }: Configuration,
): ErrorDetail[] {
  const isTaken = schemes === undefined || schemes.some((scheme) => card.takenAs.includes(scheme))
  const missing = fields.filter(
    ({ field, required }) => required && !OF_EVERY_CARD.has(field) && (card.given[field] ?? '') === '',
  )
  return [
    ...(isTaken ? [] : [{ path: 'card_number', message: `cards taken here: ${schemes.join(', ')}` }]),
    ...missing.map(({ field }) => ({ path: field, message: 'is required' })),
    ...(gatewayId === undefined || gatewayId === card.gatewayId
      ? []
      : [{ path: 'payment_source', message: 'was made for another gateway' }]),
  ]
}
