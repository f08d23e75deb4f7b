import type { CreateId } from '../../platform/identifiers.ts'
import { inTime } from '../../platform/in-time.ts'
import type { Bulkhead } from '../../platform/concurrency/fairness.ts'
import type { AuthorisationRequest, Gateway, GatewayAnswer } from '../gateways/gateway.ts'
import { beginCharge, beginFollowUp, leaveOpen, writeOutcome } from './attempt-store.ts'
import type { AttemptStoreDeps, InSameTransaction } from './attempt-store.ts'
import { chargeEvent } from './charge-event.ts'
import { findCharge } from './charge-store.ts'
import { outcomeAfter, statusAfter } from './charge.ts'
import type { Attempt, Charge, NewAttempt, NewCharge } from './charge.ts'
import { attemptIdOf, toFollowUpRequest, toGatewayRequest, toOutcomeRequest } from './gateway-requests.ts'
import type { ClockSteps } from './gateway-requests.ts'

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

/** Writes a new charge with its first attempt and sends that; null if the token is gone or the request has come before. */
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
  const charge = { ...fresh, ...times, version, attempts: [attempt] }
  return send(deps, charge, attempt, (gateway, signal) =>
    gateway.authorise({ ...toGatewayRequest(charge, attempt, signal), card, capture: !charge.preAuth }),
  )
}

/** Writes a capture, cancel or refund and sends it; null if the charge has changed since it was read. */
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

/** An answer that settles an attempt. */
export type FinalAnswer = Exclude<GatewayAnswer, { kind: 'unknown' }> | { kind: 'not_received' }

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
  const outcome = outcomeAfter(attempt, answer.kind)
  const known = { ...attempt, ...factsOf(answer), outcome }
  const status = statusAfter(charge, known, outcome)
  const holdSeconds = answer.kind === 'approved' && status === 'pending' ? answer.holdSeconds : null
  const event = chargeEvent(charge, known, status)
  const facts = enteredBy === null ? event.facts : { ...event.facts, entered_by: enteredBy }
  const change = { attempt: known, status, holdSeconds, event: { ...event, facts } }
  const written = await writeOutcome(deps, charge, change)
  if (written === null) return { ...(await readAgain(deps, charge.id, attempt.id)), isRecorded: false }
  const { settledAt, version } = written
  const settled: Attempt = { ...known, settledAt }
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
