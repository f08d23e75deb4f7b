import { createHash } from 'node:crypto'
import type { IdempotentRequest } from '../../platform/idempotency.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import { inTime } from '../../platform/in-time.ts'
import type { Bulkhead } from '../../platform/concurrency/fairness.ts'
import type {
  AuthorisationRequest,
  FollowedSale,
  FollowUpRequest,
  Gateway,
  GatewayAnswer,
  OutcomeRequest,
} from '../gateways/gateway.ts'
import { beginCharge, beginFollowUp, leaveOpen, writeOutcome } from './attempt-store.ts'
import type { AttemptStoreDeps, InSameTransaction } from './attempt-store.ts'
import { changeBy } from './attempt-outcome.ts'
import type { FinalAnswer } from './attempt-outcome.ts'
import { findCharge } from './charge-store.ts'
import { saleOf } from './charge.ts'
import type { Attempt, Charge, NewAttempt, NewCharge } from './charge.ts'

/** What calls to gateways need. */
export interface GatewayCalls {
  /** The adapter of a charge's gateway; rejects if it can't be used now. */
  adapterOf: (charge: Charge) => Promise<Gateway>
  /** How long the adapter and its answer are waited for together, before `signal` is aborted. */
  timeoutMs: number
  /** Limits the calls that are under way to each gateway account. */
  bulkhead: Pick<Bulkhead, 'enter'>
  /** Called with a failure that leaves an attempt without an outcome. */
  onFault: (error: unknown) => void
}

/** What attempts need. */
export interface AttemptDeps extends AttemptStoreDeps {
  gatewayCalls: GatewayCalls
  createId: CreateId
  clockSteps: ClockSteps
}

/** A charge after one of its attempts; the attempt is still `open` if no answer came. */
export interface AttemptResult {
  charge: Charge
  attempt: Attempt
}

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
  card: AuthorisationRequest['card'],
  inSameTransaction: InSameTransaction | null,
): Promise<AttemptResult | null> {
  const written = await beginCharge(deps, fresh, newAttempt, inSameTransaction)
  if (written === null) return null
  const { createdAt, version } = written
  const attempt = toOpenAttempt(newAttempt, createdAt)
  const times = { createdAt, updatedAt: createdAt, isHoldOver: false, ageMs: 0 }
  const charge = { ...fresh, ...times, version, attempts: [attempt], edits: [], disputeSums: [] }
  return send(deps, charge, attempt, (gateway, signal) =>
    gateway.authorise({
      ...toGatewayRequest(charge, attempt, signal),
      card,
      capture: !charge.preAuth,
      statementDescriptor: charge.statementDescriptor,
    }),
  )
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

/**
 * Sends an attempt that was written and records the answer. Never throws: the money may have moved, and a job asks later about what could
 * not be recorded now.
 */
async function send(
  deps: AttemptDeps,
  charge: Charge,
  attempt: Attempt,
  call: (gateway: Gateway, signal: AbortSignal) => Promise<GatewayAnswer>,
): Promise<AttemptResult> {
  const answer = await askGateway(deps.gatewayCalls, charge, call)
  try {
    if (answer.kind !== 'unknown') return await recordOutcome(deps, charge, attempt, answer)
    await leaveOpen(deps, charge, attempt)
  } catch (error) {
    deps.gatewayCalls.onFault(error)
  }
  return { charge, attempt }
}

/** Asks the gateway about an attempt that got no answer, and records the outcome if the gateway knows it. */
export async function resolveAttempt(
  deps: AttemptDeps,
  charge: Charge,
  attempt: Attempt,
): Promise<AttemptResult> {
  const answer = await askGateway(deps.gatewayCalls, charge, (gateway, signal) =>
    gateway.outcomeOf(toOutcomeRequest(charge, attempt, signal, deps.clockSteps)),
  )
  if (answer.kind === 'unknown' || answer.kind === 'unreachable') return { charge, attempt }
  return recordOutcome(deps, charge, attempt, answer)
}

/**
 * Records the outcome of an open attempt with its event, and returns the charge as it is then. If another process recorded an outcome
 * first, returns that one (`isRecorded` is false). `enteredBy`: the operator who entered the outcome; null if the gateway gave it.
 */
export async function recordOutcome(
  deps: AttemptStoreDeps,
  charge: Charge,
  attempt: Attempt,
  answer: FinalAnswer,
  enteredBy: string | null = null,
): Promise<AttemptResult & { isRecorded: boolean }> {
  const change = changeBy(charge, attempt, answer, enteredBy)
  const written = await writeOutcome(deps, charge, change)
  if (written === null) return { ...(await readAgain(deps, charge.id, attempt.id)), isRecorded: false }
  const { settledAt, version } = written
  const { status } = change
  const settled: Attempt = { ...change.attempt, settledAt }
  const attempts = charge.attempts.map((one) => (one.id === settled.id ? settled : one))
  const moved = { ...charge, status, attempts, openAttemptId: null, version, updatedAt: settledAt }
  return { attempt: settled, charge: moved, isRecorded: true }
}

async function readAgain(
  { database }: AttemptStoreDeps,
  chargeId: string,
  attemptId: string,
): Promise<AttemptResult> {
  const charge = await findCharge(database, chargeId)
  const attempt = charge?.attempts.find(({ id }) => id === attemptId)
  if (charge === null || attempt === undefined) throw new Error(`attempt ${attemptId} has gone`)
  return { charge, attempt }
}

/** How long an adapter may still answer after its `signal` was aborted. */
const GRACE_MS = 2000

/**
 * Calls the gateway of a charge and waits for its answer, within a time limit. `unreachable`: the account had no slot left or its adapter
 * was not ready in time, so nothing was sent and never will be. `unknown`: the gateway did not answer or threw, so it may have been sent
 * something.
 */
export async function askGateway<Answer extends { kind: string }>(
  { adapterOf, timeoutMs, bulkhead, onFault }: GatewayCalls,
  charge: Charge,
  call: (gateway: Gateway, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | { kind: 'unknown' } | { kind: 'unreachable' }> {
  const leave = bulkhead.enter(charge.gatewayId)
  if (leave === null) return { kind: 'unreachable' }
  const over = new AbortController()
  const sent = { isSent: false }
  const ask = async () => {
    const gateway = await adapterOf(charge)
    over.signal.throwIfAborted()
    sent.isSent = true
    return call(gateway, over.signal)
  }
  const answer = ask()
  const endWait = () => {
    over.abort()
    if (sent.isSent) return inTime(answer, GRACE_MS, () => ({ kind: 'unknown' }) as const)
    throw new Error(`the adapter for gateway account ${charge.gatewayId} was not ready in time`)
  }
  try {
    return await inTime(answer, timeoutMs, endWait)
  } catch (error) {
    onFault(error)
    return { kind: sent.isSent ? 'unknown' : 'unreachable' }
  } finally {
    leave()
  }
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
  const seemsMs = charge.ageMs - msBetween(charge.createdAt, attempt.createdAt)
  const asked = { ...toGatewayRequest(charge, attempt, signal), ...attemptAge(seemsMs, clockSteps) }
  return type === 'sale'
    ? { ...asked, type, capture: !charge.preAuth, statementDescriptor: charge.statementDescriptor }
    : { ...asked, type, sale: followedSaleOf(charge, attempt) }
}

function toGatewayRequest({ currency }: Charge, { id, amount }: Attempt, signal: AbortSignal) {
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

/** How the database's clock has stepped while this process has been running, in ms. */
export interface ClockSteps {
  msSinceStep: () => number
  setBackMs: () => number
}

/**
 * The least and the greatest age that an attempt can have, in ms, if by the database's clock its age is `seemsMs`. If that clock was set
 * back, the attempt may be older by as much. Nothing is certain from before its last step, so the least age is the time since then.
 */
export function attemptAge(
  seemsMs: number,
  { msSinceStep, setBackMs }: ClockSteps,
): { minAgeMs: number; ageMs: number } {
  return { minAgeMs: Math.min(seemsMs, msSinceStep()), ageMs: seemsMs + setBackMs() }
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
