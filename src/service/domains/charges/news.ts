import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { CentsLeft } from '../../../contract/api/fields/amount.ts'
import { nextState } from '../../platform/state-machine.ts'
import type { News } from '../gateways/gateway.ts'
import type { FinalAnswer } from './attempt-outcome.ts'
import { toldChange } from './attempt-outcome.ts'
import { findToldCharge, writeTold } from './news-store.ts'
import type { ToldBy } from './news-store.ts'
import { bringForward } from './attempt-store.ts'
import type { AttemptStoreDeps } from './attempt-store.ts'
import { recordOutcome } from './settle.ts'
import { findCharge } from './charge-store.ts'
import { actionOf, chargeMoves, isDone, refundableOf, refundedOf, saleOf } from './charge.ts'
import type { Attempt, Charge, ChargeStatus, MovementType } from './charge.ts'

/**
 * What came of news. `waits`: it does not fit yet, and may once something else has happened; `otherwise` says what it is where
 * that has not happened within an hour.
 * `unexplained`: it contradicts what the service knows, and a person has to look. `why` is a sentence for people.
 */
export type Heard = { chargeId: string | null } & (
  | { kind: 'done' }
  | Waits
  | { kind: 'unexplained'; why: string }
)
interface Waits {
  kind: 'waits'
  why: string
  otherwise: 'done' | 'unexplained' | 'waits'
}

/** Changes the charge that news is about, if it says more than is known. The same news may come any number of times, in any order. */
export async function hearNews(deps: AttemptStoreDeps, by: ToldBy, news: News): Promise<Heard> {
  const chargeId = await findToldCharge(deps.database, by, news)
  const charge = chargeId === null ? null : await findCharge(deps.database, chargeId)
  if (charge === null) return { chargeId: null, ...UNKNOWN_CHARGE }
  const decision = decideNews(charge, by, news)
  switch (decision.kind) {
    case 'outcome':
      await recordOutcome(deps, charge, decision.attempt, decision.answer)
      return { kind: 'done', chargeId }
    case 'ask':
      await bringForward(deps, decision.attempt)
      return { chargeId, ...IN_PROGRESS }
    case 'told': {
      const isWritten = await writeTold(deps.database, charge, toldChange(charge, decision.attempt))
      return isWritten ? { kind: 'done', chargeId } : { chargeId, ...OVERTAKEN }
    }
    case 'nothing':
      return { kind: 'done', chargeId }
    case 'waits':
    case 'unexplained':
      return { chargeId, ...decision }
  }
}

/** An attempt that the gateway told of, before it is written. */
export type ToldAttempt = Attempt & { outcome: 'approved' }

/**
 * What news changes of a charge. `outcome`: of one of its attempts that has none yet. `told`: a new attempt, which the gateway told of. `ask`:
 * the gateway is asked about an attempt, as it then tells more.
 */
export type NewsDecision =
  | { kind: 'nothing' }
  | { kind: 'outcome'; attempt: Attempt; answer: FinalAnswer }
  | { kind: 'told'; attempt: ToldAttempt }
  | { kind: 'ask'; attempt: Attempt }
  | Waits
  | { kind: 'unexplained'; why: string }

const NOTHING: NewsDecision = { kind: 'nothing' }
const UNKNOWN_CHARGE = {
  kind: 'waits',
  why: 'No charge of this gateway account has this payment: another system may have made it.',
  otherwise: 'unexplained',
} as const
const OVERTAKEN = {
  kind: 'waits',
  why: 'The charge was changed at the same moment.',
  otherwise: 'waits',
} as const
const IN_PROGRESS = {
  kind: 'waits',
  why: 'Another request is moving the charge, or has no outcome yet.',
  otherwise: 'waits',
} as const
/** A hold that is gone matters once a capture, cancel or refund of ours, which is counted as done, turns out to have failed. */
const UNLESS_UNDONE: NewsDecision = {
  kind: 'waits',
  why: 'The hold is gone at the gateway. It matters only if a capture, cancel or refund of ours has failed.',
  otherwise: 'done',
}
const unexplained = (why: string): NewsDecision => ({ kind: 'unexplained', why })
const waits = (why: string): NewsDecision => ({ kind: 'waits', why, otherwise: 'unexplained' })

/** Decides what news changes of its charge, by the state table (contract §4). */
export function decideNews(charge: Charge, by: ToldBy, news: News): NewsDecision {
  const id = attemptIdOfNews(charge, by, news)
  if (charge.attempts.some((one) => one.id === id)) return NOTHING
  const tell = (told: Told) => toldOf(charge, id, news, told)
  switch (news.says.kind) {
    case 'movement':
      return decideMovement(charge, news, news.says, tell)
    case 'hold_ended':
      return decideEndOfHold(charge, tell)
    case 'authorisation_changed':
      return news.amount === charge.amount
        ? NOTHING
        : unexplained(
            'The amount of the hold was changed at the gateway. The service still captures up to the first amount: capture what is held, or cancel.',
          )
    // What becomes of a dispute stands beside its charge (`disputes`).
    case 'dispute':
    case 'nothing':
      return NOTHING
    case 'warning':
    case 'unknown':
      return unexplained(news.says.why)
  }
}

type Movement = Extract<News['says'], { kind: 'movement' }>
type Told = Pick<Attempt, 'type' | 'amount' | 'reason'> & Partial<Pick<Attempt, 'reverses' | 'declineReason'>>
type Tell = (told: Told) => NewsDecision

function decideMovement(charge: Charge, news: News, says: Movement, tell: Tell): NewsDecision {
  const own = ownAttemptOf(charge, news, says)
  if (own?.outcome === 'open')
    return says.isAskedAbout === true && own.authentication !== null
      ? { kind: 'ask', attempt: own }
      : { kind: 'outcome', attempt: own, answer: answerOf(news, says) }
  if (charge.openAttemptId !== null) return IN_PROGRESS
  if (own === null)
    return says.isDone ? decideByHand(charge, news, says.type, tell) : failedElsewhere(charge, says)
  if (own.outcome === 'approved') {
    if (!isDone(charge, own)) return NOTHING
    return says.isDone ? decideLess(charge, own, news, tell) : decideFailedLater(charge, own, news, tell)
  }
  return says.isDone ? decideRefused(charge, own, news, tell) : NOTHING
}

/** The gateway knows each try of a sale by an id of its own: that one was refused says nothing of a later one, which has paid. */
function decideFailedLater(
  charge: Charge,
  own: Attempt,
  { says, externalId }: News,
  tell: Tell,
): NewsDecision {
  const isOfSale = says.kind === 'movement' && says.type === 'sale'
  return isOfSale && own.externalId !== externalId ? NOTHING : undo(charge, own, tell)
}

/** The gateway carried out what it had refused the service. */
function decideRefused(charge: Charge, own: Attempt, news: News, tell: Tell): NewsDecision {
  if (own.type === 'sale' || own.type === 'reversal')
    return unexplained(
      'The gateway says that it was paid, and the service that it was not. If the payment was not cancelled since, cancel or refund it at the gateway.',
    )
  // It has said later of the very same movement that it failed: this is older.
  if (own.externalId === news.externalId && own.externalId !== saleOf(charge).externalId) return NOTHING
  return decideByHand(charge, news, own.type, tell)
}

/**
 * The attempt of ours that carried out the movement. What is done by hand often bears the reference of the payment, which is the sale's, so
 * a reference counts for its own type alone.
 */
function ownAttemptOf(charge: Charge, { attemptId, externalId }: News, says: Movement): Attempt | null {
  const { type, isDone: isCarriedOut, wasAccepted = false } = says
  const sale = saleOf(charge)
  // The gateway captures such a sale by itself. What it refuses at once is somebody's second capture.
  const isOfSale = type === 'capture' && !charge.preAuth && (isCarriedOut || wasAccepted)
  if (type === 'sale' || isOfSale) return sale
  const followUps = charge.attempts.filter((one) => one.type !== 'sale' && one.type !== 'reversal')
  const isNamed = (one: Attempt) =>
    one.id === attemptId && (one.type === type || (one.type === 'refund' && type === 'cancel'))
  const byGateway = followUps.find((one) => one.externalId === externalId && externalId !== sale.externalId)
  return byGateway ?? followUps.find(isNamed) ?? null
}

/**
 * A sale that takes the money at once may be captured by hand before the gateway does it by itself, and then for less: the rest goes back.
 */
function decideLess(charge: Charge, own: Attempt, { amount, says }: News, tell: Tell): NewsDecision {
  const isCapture = says.kind === 'movement' && says.type === 'capture'
  if (own.type !== 'sale' || !isCapture || amount === null || amount >= charge.amount) return NOTHING
  const isInParts = charge.attempts.some((one) => one.type === 'refund' && one.gatewayCode === says.code)
  const rest = v.parse(CentsLeft, charge.amount - amount)
  if (isInParts) return unexplained(IN_PARTS)
  // A refund that was counted may turn out to have failed.
  if (rest > refundableOf(charge)) return waits(IN_PARTS)
  return tell({ type: 'refund', amount: rest, reason: 'told_by_gateway' })
}

const IN_PARTS =
  'The gateway says that it captured a part of the payment, after another part or a refund. See at the gateway what moved.'

function answerOf({ externalId }: News, says: Movement): FinalAnswer {
  const { code, description, holdSeconds, type, authentication, reason = 'do_not_honour' } = says
  const answered = { code, description, externalId, externalReference: null, authentication }
  if (says.isDone) return { ...answered, kind: 'approved', holdSeconds }
  return { ...answered, kind: 'declined', reason: type === 'sale' ? reason : 'invalid_transaction' }
}

/** What the gateway carried out and nobody asked for here. */
function decideByHand(charge: Charge, news: News, type: MovementType, tell: Tell): NewsDecision {
  const { amount, currency } = news
  if (type === 'cancel') return decideCancelByHand(charge, tell)
  if (amount === null || currency !== charge.currency)
    return unexplained(`The ${type} at the gateway is in another currency, or has no amount.`)
  const most = type === 'capture' ? charge.amount : refundableOf(charge)
  if (amount > most)
    return waits(`The gateway says that it carried out a ${type} of more than the charge can have.`)
  return tell({ type, amount, reason: 'told_by_gateway' })
}

/** Of these charges nothing is held or taken: a cancel or the end of a hold contradicts none of them. */
const NOTHING_TAKEN: ReadonlySet<ChargeStatus> = new Set(['failed', 'not_authenticated'])

/** A sale that takes the money at once can be cancelled until the gateway has taken it: that gives all of it back. */
function decideCancelByHand(charge: Charge, tell: Tell): NewsDecision {
  const { status, preAuth, amount } = charge
  if (status === 'cancelled' || status === 'refunded') return UNLESS_UNDONE
  if (NOTHING_TAKEN.has(status)) return NOTHING
  const isTaken = status === 'complete' && !preAuth && refundedOf(charge) === 0
  return tell({ type: isTaken ? 'refund' : 'cancel', amount, reason: 'told_by_gateway' })
}

function decideEndOfHold(charge: Charge, tell: Tell): NewsDecision {
  if (charge.openAttemptId !== null) return IN_PROGRESS
  if (NOTHING_TAKEN.has(charge.status)) return NOTHING
  if (charge.status !== 'pending') return UNLESS_UNDONE
  return tell({ type: 'cancel', amount: charge.amount, reason: 'expired_at_gateway' })
}

/** Something failed that nobody asked for here. It matters only if it is what the service counts as done. */
function failedElsewhere(charge: Charge, { type }: Movement): NewsDecision {
  const like = type === 'capture' && !charge.preAuth ? 'sale' : type
  const mayBeOurs = charge.attempts.some((one) => one.type === like && isDone(charge, one))
  return {
    kind: 'waits',
    why: `The gateway says that a ${type} has failed, and knows it by another id than the service.`,
    otherwise: mayBeOurs ? 'unexplained' : 'done',
  }
}

/** What the gateway had approved has failed later. */
function undo(charge: Charge, own: Attempt, tell: Tell): NewsDecision {
  const { type, amount, id: reverses } = own
  const told: Told = { type: 'reversal', amount, reason: 'told_by_gateway', reverses }
  switch (type) {
    case 'sale':
      if (charge.preAuth)
        return unexplained('The gateway says that it refused a payment which it had approved.')
      return refundedOf(charge) > 0 ? REFUNDED_BEFORE : tell(told)
    case 'capture': {
      if (refundedOf(charge) > 0) return REFUNDED_BEFORE
      return tell(charge.isHoldOver ? { ...told, declineReason: 'authorisation_expired' } : told)
    }
    case 'cancel':
      // A hold whose time is over is gone without being cancelled.
      return charge.isHoldOver ? NOTHING : tell(told)
    case 'refund':
    case 'reversal':
      return tell(told)
  }
}

const REFUNDED_BEFORE = waits(
  'The gateway says that it could not take the money, and money was given back before. See at the gateway what moved.',
)

/** The attempt as it will be written; waits where the state table has no such move now. */
function toldOf(charge: Charge, id: string, news: News, told: Told): NewsDecision {
  const { says, at } = news
  const words =
    says.kind === 'movement' ? says : { code: news.name, description: 'The gateway released the hold' }
  const attempt: ToldAttempt = {
    reverses: null,
    declineReason: null,
    authentication: null,
    ...told,
    id,
    reference: null,
    outcome: 'approved',
    gatewayCode: words.code,
    gatewayDescription: words.description,
    externalId: news.externalId,
    externalReference: null,
    userId: null,
    sourceIp: null,
    createdAt: at,
    settledAt: at,
  }
  const action = actionOf(charge, attempt, 'approved')
  const hasMove = action !== null && nextState(chargeMoves, charge.status, action) !== null
  if (hasMove) return { kind: 'told', attempt }
  return waits(`The gateway says "${news.name}", which can't happen to a charge that is ${charge.status}.`)
}

/**
 * The id of the attempt that news becomes: a hash, so that the same news twice becomes one attempt. Like any id it begins with a time in
 * seconds, here that of the charge.
 */
function attemptIdOfNews(charge: Charge, { gatewayId }: ToldBy, { key }: News): string {
  const rest = createHash('sha256')
    .update(JSON.stringify([gatewayId, key]))
    .digest('hex')
  return charge.id.slice(0, 8) + rest.slice(0, 16)
}
