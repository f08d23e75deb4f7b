import { createHash } from 'node:crypto'
import type { IdempotentRequest } from '../../platform/idempotency.ts'
import type {
  AuthorisationRequest,
  FollowedSale,
  FollowUpRequest,
  Gateway,
  GatewayAnswer,
  OutcomeRequest,
} from '../gateways/gateway.ts'
import { beginCharge, beginFollowUp, leaveOpen } from './attempt-store.ts'
import type { InSameTransaction } from './attempt-store.ts'
import { beginAuthentication, resolveAuthentication } from './authentications.ts'
import { ageOf, askGateway, msBetween, recordOutcome, toGatewayRequest } from './settle.ts'
import type { AttemptDeps, AttemptResult, ClockSteps } from './settle.ts'
import { saleOf } from './charge.ts'
import type { Attempt, Charge, NewAttempt, NewCharge } from './charge.ts'

/**
 * Makes the first attempt of a new charge; null if the token is gone or the request has come before.
 *
 * 1. Write the charge and the attempt (`beginCharge`).
 * 2. Ask the gateway, by the attempt's id (`askGateway`).
 * 3. Decide what its answer changes (`changeBy`), and write that (`writeOutcome`).
 */
export async function attemptAuthorisation(
  deps: AttemptDeps,
  fresh: NewCharge,
  newAttempt: NewAttempt,
  { card, authentication, authenticationId }: CardAndHolder,
  inSameTransaction: InSameTransaction | null,
): Promise<AttemptResult | null> {
  const written = await beginCharge(deps, fresh, newAttempt, inSameTransaction)
  if (written === null) return null
  const { createdAt, version } = written
  const attempt = toOpenAttempt(newAttempt, createdAt)
  const times = { createdAt, updatedAt: createdAt, isHoldOver: false, ageMs: 0 }
  const charge = { ...fresh, ...times, version, attempts: [attempt], edits: [], disputeSums: [] }
  const answer = await askGateway(deps.gatewayCalls, charge, (gateway, signal) =>
    gateway.authorise({
      ...toGatewayRequest(charge, attempt, signal),
      card,
      capture: !charge.preAuth,
      statementDescriptor: charge.statementDescriptor,
      authentication,
    }),
  )
  const result = { charge, attempt }
  if (answer.kind !== 'authentication_needed') return record(deps, result, answer)
  return orAsItIs(deps, result, () => beginAuthentication(deps, result, authenticationId, answer))
}

/** The card of a sale, how its holder is to be authenticated, and the id that the authentication gets if the bank asks. */
export interface CardAndHolder extends Pick<AuthorisationRequest, 'card' | 'authentication'> {
  authenticationId: string
}

/** Makes a capture, cancel or refund in the same three steps; null if the charge has changed since it was read. */
export async function attemptFollowUp(
  deps: AttemptDeps,
  charge: Charge,
  asked: Omit<NewAttempt, 'id' | 'type'> & { type: FollowUpType },
): Promise<AttemptResult | null> {
  const { idempotentRequest, type } = asked
  const id = idempotentRequest === null ? deps.createId() : attemptIdOf(charge, asked, idempotentRequest)
  const newAttempt = { ...asked, id }
  const written = await beginFollowUp(deps.database, charge, newAttempt)
  if (written === null) return null
  const attempt = toOpenAttempt(newAttempt, written.createdAt)
  const attempts = [...charge.attempts, attempt]
  const begun = { ...charge, openAttemptId: id, version: written.version, attempts }
  return send(deps, begun, attempt, (gateway, signal) =>
    gateway[type](toFollowUpRequest(charge, attempt, signal)),
  )
}

export type FollowUpType = 'capture' | 'cancel' | 'refund'

/** Sends an attempt that was written and records the answer. */
async function send(
  deps: AttemptDeps,
  charge: Charge,
  attempt: Attempt,
  call: (gateway: Gateway, signal: AbortSignal) => Promise<GatewayAnswer>,
): Promise<AttemptResult> {
  return record(deps, { charge, attempt }, await askGateway(deps.gatewayCalls, charge, call))
}

function record(deps: AttemptDeps, result: AttemptResult, answer: GatewayAnswer): Promise<AttemptResult> {
  const { charge, attempt } = result
  return orAsItIs(deps, result, async () => {
    if (answer.kind !== 'unknown') return recordOutcome(deps, charge, attempt, answer)
    await leaveOpen(deps, charge, attempt)
    return result
  })
}

/** Never throws: the money may have moved, and a job asks later about what could not be recorded now. */
async function orAsItIs(
  { gatewayCalls }: AttemptDeps,
  result: AttemptResult,
  write: () => Promise<AttemptResult>,
): Promise<AttemptResult> {
  try {
    return await write()
  } catch (error) {
    gatewayCalls.onFault(error)
    return result
  }
}

/** Asks the gateway about an attempt that got no answer, and records the outcome if the gateway knows it. */
export async function resolveAttempt(
  deps: AttemptDeps,
  charge: Charge,
  attempt: Attempt,
): Promise<AttemptResult> {
  if (attempt.authentication !== null) {
    const resolved = await resolveAuthentication(deps, attempt)
    if (resolved !== null) return resolved === 'another_asks' ? { charge, attempt } : resolved
  }
  const answer = await askGateway(deps.gatewayCalls, charge, (gateway, signal) =>
    gateway.outcomeOf(toOutcomeRequest(charge, attempt, signal, deps.clockSteps)),
  )
  if (answer.kind === 'unknown' || answer.kind === 'unreachable') return { charge, attempt }
  return recordOutcome(deps, charge, attempt, answer)
}

function toOpenAttempt(
  { id, type, reason, reference, amount, userId, sourceIp }: NewAttempt,
  createdAt: Date,
): Attempt {
  return {
    id,
    type,
    reason,
    reverses: null,
    reference,
    amount,
    userId,
    sourceIp,
    createdAt,
    outcome: 'open',
    declineReason: null,
    gatewayCode: null,
    gatewayDescription: null,
    externalId: null,
    externalReference: null,
    authentication: null,
    settledAt: null,
  }
}

/** A capture, cancel or refund as its gateway is asked for it. */
export function toFollowUpRequest(charge: Charge, attempt: Attempt, signal: AbortSignal): FollowUpRequest {
  return { ...toGatewayRequest(charge, attempt, signal), sale: followedSaleOf(charge, attempt) }
}

/** The question about an attempt without an outcome. */
export function toOutcomeRequest(
  charge: Charge,
  attempt: Attempt,
  signal: AbortSignal,
  clockSteps: ClockSteps,
): OutcomeRequest {
  const { type } = attempt
  if (type === 'reversal') throw new Error(`the reversal ${attempt.id} was asked of no gateway`)
  const asked = { ...toGatewayRequest(charge, attempt, signal), ...ageOf(charge, attempt, clockSteps) }
  return type === 'sale'
    ? { ...asked, type, capture: !charge.preAuth, statementDescriptor: charge.statementDescriptor }
    : { ...asked, type, sale: followedSaleOf(charge, attempt) }
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

/** How long a request may come again under its key (contract §2). */
const KEY_KEPT_MS = 30 * 24 * 3_600_000

/**
 * The id of a capture, cancel or refund that a request with an Idempotency-Key asks for. It is a hash of the charge, the attempt and the
 * request instead of random: if the database is restored from a backup that lacks the attempt, the same request gets the same id. The
 * gateway knows that id, and moves the money once.
 *
 * No other attempt gets the id:
 * - If the gateway was not reached, the same request is carried out again while the charge has an attempt with the id. `count` makes
 *   another one.
 * - After 30 days a key may be used for another attempt. `period` differs then, even if a restore has lost the first attempt.
 *
 * Like any id it begins with a time in seconds, here that of the charge.
 */
export function attemptIdOf(
  charge: Pick<Charge, 'id' | 'ageMs' | 'attempts'>,
  { type, amount }: Pick<Attempt, 'type' | 'amount'>,
  { key, hash }: Pick<IdempotentRequest, 'key' | 'hash'>,
): string {
  const period = Math.floor(charge.ageMs / KEY_KEPT_MS)
  const taken = new Set(charge.attempts.map((attempt) => attempt.id))
  for (let count = 0; ; count += 1) {
    const content = JSON.stringify([charge.id, type, amount, key, hash, period, count])
    const rest = createHash('sha256').update(content).digest('hex')
    const id = charge.id.slice(0, 8) + rest.slice(0, 16)
    if (!taken.has(id)) return id
  }
}
