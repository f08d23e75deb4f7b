import type { CHARGE_CHANGES } from '../../../contract/api/charges/charge-resource.ts'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import { nextState } from '../../platform/state-machine.ts'
import type { GatewayAnswer } from '../gateways/gateway.ts'
import { endedBy, reopened } from './authentication.ts'
import type { AttemptAuthentication, SaleEnd } from './authentication.ts'
import { actorOf, attemptMoves, isRelease, reversedTypeOf, statusAfter } from './charge.ts'
import type { Attempt, Charge, ChargeStatus, KnownOutcome, MovementType, Outcome } from './charge.ts'

/** An answer that settles an attempt. */
export type FinalAnswer =
  | (Exclude<GatewayAnswer, { kind: 'unknown' }> & { left?: SaleEnd['left'] })
  | { kind: 'not_received' }

/** What a gateway's answer changes: the attempt, its charge, and the event that tells of it. */
export interface OutcomeChange {
  /** With its outcome. */
  attempt: Attempt & { outcome: KnownOutcome }
  /** The charge's new status. */
  status: ChargeStatus
  /** How long the funds are held from now on; null unless the answer begins a hold. */
  holdSeconds: number | null
  event: ChargeEvent
  /** Tells that the card holder's bank authenticated them; null if it did not. */
  passed: (ChargeEvent & { id: string }) | null
}

/**
 * Decides what the answer to an open attempt changes. `enteredBy`: the operator who entered the outcome; null if the gateway gave it.
 * Throws if the attempt has an outcome already, or its charge can't go where that leads.
 */
export function changeBy(
  charge: Charge,
  attempt: Attempt,
  answer: FinalAnswer,
  { enteredBy, createId }: { enteredBy: string | null; createId: CreateId },
): OutcomeChange {
  const outcome = outcomeAfter(attempt, answer.kind)
  const authentication = authenticationAfter(attempt, answer, createId)
  const settled = { ...attempt, ...factsOf(answer), authentication, outcome }
  const status = statusAfter(charge, settled, outcome)
  const holdSeconds = answer.kind === 'approved' && status === 'pending' ? answer.holdSeconds : null
  const event = chargeEvent(charge, settled, status)
  const facts = enteredBy === null ? event.facts : { ...event.facts, entered_by: enteredBy }
  return {
    attempt: settled,
    status,
    holdSeconds,
    event: { ...event, facts },
    passed: passedEvent(charge, settled, status),
  }
}

function authenticationAfter(
  { type, authentication }: Attempt,
  answer: FinalAnswer,
  createId: CreateId,
): AttemptAuthentication | null {
  if (type !== 'sale') return null
  const isAnswered = answer.kind === 'approved' || answer.kind === 'declined'
  const end: SaleEnd = {
    isApproved: answer.kind === 'approved',
    reason: answer.kind === 'declined' ? answer.reason : null,
    result: isAnswered ? (answer.authentication ?? null) : null,
    left: isAnswered ? (answer.left ?? null) : null,
  }
  return endedBy(authentication, end, createId)
}

function passedEvent(
  { currency }: Charge,
  { amount, authentication }: Attempt,
  status: ChargeStatus,
): OutcomeChange['passed'] {
  if (authentication?.passedId == null) return null
  const { passedId, result } = authentication
  return {
    id: passedId,
    type: 'charge.authenticated',
    actor: 'gateway',
    facts: {
      amount,
      currency,
      status,
      authentication: authentication.status,
      ...(result?.flow != null && { flow: result.flow }),
      ...askedByOf(authentication),
    },
  }
}

/** Who wanted a card holder to be asked; nothing where nobody was asked. */
function askedByOf(
  authentication: Pick<AttemptAuthentication, 'askedAt' | 'askedBy'> | null,
): ChargeEvent['facts'] {
  return authentication?.askedAt == null ? {} : { asked_by: authentication.askedBy }
}

/** The event of a charge whose card holder is asked by their bank. */
export function authenticationRequiredEvent(
  charge: Charge,
  { amount }: Attempt,
  askedBy: AttemptAuthentication['askedBy'],
): ChargeEvent {
  return {
    type: 'charge.authentication_required',
    actor: 'gateway',
    facts: { amount, currency: charge.currency, status: 'pre_authentication_pending', asked_by: askedBy },
  }
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

/** What changes by an attempt that the gateway told of, which is approved at once. */
export function toldChange(charge: Charge, attempt: OutcomeChange['attempt']): OutcomeChange {
  const status = statusAfter(charge, attempt, attempt.outcome)
  return { attempt, status, holdSeconds: null, event: chargeEvent(charge, attempt, status), passed: null }
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
  const reversed = reversedTypeOf(charge, settled)
  return {
    type: reversed === null ? typeOf(settled, outcome, status) : FAILED_LATER[reversed],
    actor: enderOf(settled),
    facts: {
      attempt: type,
      outcome,
      amount,
      currency: charge.currency,
      status,
      ...(declineReason !== null && { decline_reason: declineReason }),
      ...askedByOf(settled.authentication),
      ...(reversed !== null && { reverses: reversed }),
    },
  }
}

/** Who brought an attempt to its end: a sale that nobody confirmed at the bank ended by the card holder's word, or by its time. */
function enderOf(attempt: Attempt): Actor {
  if (attempt.declineReason !== 'not_authenticated') return actorOf(attempt)
  return attempt.authentication?.status === 'cancelled' ? 'card_holder' : 'service'
}

/** By the type of an attempt that did not come about after all. A sale had taken the money at once. */
const FAILED_LATER: Readonly<Record<MovementType, ChargeEventType>> = {
  sale: 'charge.capture_failed',
  capture: 'charge.capture_failed',
  cancel: 'charge.cancel_failed',
  refund: 'charge.refund_failed',
}

function typeOf(attempt: Attempt, outcome: Outcome, status: ChargeStatus): ChargeEventType {
  const isApproved = outcome === 'approved'
  switch (attempt.type) {
    case 'sale':
      if (!isApproved) return failedSale(attempt)
      return status === 'pending' ? 'charge.authorised' : 'charge.captured'
    case 'capture':
      return isApproved ? 'charge.captured' : 'charge.capture_failed'
    case 'refund':
      return isApproved ? 'charge.refunded' : 'charge.refund_failed'
    case 'cancel':
      return isRelease(attempt) ? released(status) : isApproved ? 'charge.cancelled' : 'charge.cancel_failed'
    case 'reversal':
      throw new Error(`the reversal ${attempt.id} is of no attempt`)
  }
}

const failedSale = ({ declineReason }: Attempt): ChargeEventType =>
  declineReason === 'not_authenticated' ? 'charge.not_authenticated' : 'charge.failed'

/** A gateway may say that a hold whose time is over is gone already. */
function released(status: ChargeStatus): ChargeEventType {
  return status === 'cancelled' ? 'charge.expired' : 'charge.release_failed'
}

/** A charge as it was right after one of its attempts: later attempts are undone. Its words are those of now. */
export function chargeAfter(charge: Charge, attempt: Attempt): Charge {
  const last = charge.attempts.findIndex(({ id }) => id === attempt.id)
  return replayed(charge, charge.attempts.slice(0, last + 1), attempt.settledAt ?? attempt.createdAt)
}

/** A charge as it was when its card holder was asked by their bank. */
export function chargeWhenAsked(charge: Charge, attempt: Attempt): Charge {
  const askedAt = new Date(attempt.authentication?.askedAt ?? attempt.createdAt)
  return { ...replayed(charge, [opened(attempt)], askedAt), updatedAt: askedAt }
}

/** A charge as it was at a moment. Its words are those of now: what a merchant has taken out is kept nowhere. */
export function chargeAt(charge: Charge, moment: Date): Charge {
  const begun = charge.attempts.filter(({ createdAt }) => createdAt <= moment)
  const asThen = begun.map((one) =>
    notAskedBefore(one.settledAt !== null && one.settledAt > moment ? opened(one) : one, moment),
  )
  return replayed(charge, asThen, moment)
}

/** An open attempt whose card holder is asked after a moment had no authentication then. */
function notAskedBefore(attempt: Attempt, moment: Date): Attempt {
  const askedAt = attempt.outcome === 'open' ? (attempt.authentication?.askedAt ?? null) : null
  return askedAt !== null && new Date(askedAt) > moment ? { ...attempt, authentication: null } : attempt
}

function replayed(charge: Charge, attempts: readonly Attempt[], moment: Date): Charge {
  const lastRefund = attempts.findLast(isApprovedRefund)
  const before: Attempt[] = []
  const edits = charge.edits.filter(({ at }) => at <= moment)
  const disputeSums = charge.disputeSums.filter(({ at }) => at <= moment)
  const begun = { status: 'processing', openAttemptId: null, updatedAt: charge.createdAt } as const
  const then: Charge = { ...charge, ...begun, attempts: before, edits, disputeSums }
  for (const one of attempts) {
    // If another approved refund follows, this one was partial and left the status as it was.
    const isPartial = isApprovedRefund(one) && one !== lastRefund
    if (one.outcome !== 'open' && !isPartial) then.status = statusAfter(then, one, one.outcome)
    if (one.outcome === 'open' && one.authentication !== null) then.status = 'pre_authentication_pending'
    then.updatedAt = one.settledAt ?? then.updatedAt
    before.push(one)
  }
  const changedAt = [edits.at(-1)?.at, disputeSums.at(-1)?.at].filter((at) => at !== undefined)
  for (const at of changedAt) if (at > then.updatedAt) then.updatedAt = at
  return then
}

/** An attempt as it was before it had its outcome. */
function opened(attempt: Attempt): Attempt {
  const unanswered = {
    gatewayCode: null,
    gatewayDescription: null,
    externalId: null,
    externalReference: null,
  }
  const authentication = reopened(attempt.authentication)
  return { ...attempt, ...unanswered, authentication, outcome: 'open', declineReason: null, settledAt: null }
}

const isApprovedRefund = ({ type, outcome }: Attempt) => type === 'refund' && outcome === 'approved'
