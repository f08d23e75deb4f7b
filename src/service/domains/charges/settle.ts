import { inTime } from '../../platform/in-time.ts'
import type { Bulkhead } from '../../platform/concurrency/fairness.ts'
import type { Gateway } from '../gateways/gateway.ts'
import { writeOutcome } from './attempt-store.ts'
import type { AttemptStoreDeps } from './attempt-store.ts'
import { changeBy } from './attempt-outcome.ts'
import type { FinalAnswer } from './attempt-outcome.ts'
import type { createAskStatement } from './authentication-store.ts'
import type { TextVault } from '../../platform/vault/vault.ts'
import { findCharge } from './charge-store.ts'
import type { Attempt, Charge } from './charge.ts'

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

/** What authentications need beside what attempts do. */
export interface AuthenticationDeps {
  /** Notes that a card holder is asked. */
  ask: ReturnType<typeof createAskStatement>
  vault: TextVault
  /** Makes the token by which a page shows the bank's step. */
  createAccessToken: () => string
}

/** What attempts need. */
export interface AttemptDeps extends AttemptStoreDeps {
  gatewayCalls: GatewayCalls
  clockSteps: ClockSteps
  authentications: AuthenticationDeps
}

/** A charge after one of its attempts; the attempt is still `open` if no answer came. */
export interface AttemptResult {
  charge: Charge
  attempt: Attempt
  /** The page's token, while the card holder is asked by their bank. */
  accessToken?: string | null
}

/** How the database's clock has stepped while this process has been running, in ms. */
export interface ClockSteps {
  msSinceStep: () => number
  setBackMs: () => number
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

/** What a gateway is told of every attempt. */
export function toGatewayRequest({ currency }: Charge, { id, amount }: Attempt, signal: AbortSignal) {
  return { attemptId: id, amount, currency, signal }
}

export function msBetween(from: Date, to: Date): number {
  return to.getTime() - from.getTime()
}

/** How old an attempt is, as its charge was read (`attemptAge`). */
export function ageOf(
  charge: Charge,
  attempt: Attempt,
  clockSteps: ClockSteps,
): ReturnType<typeof attemptAge> {
  return attemptAge(charge.ageMs - msBetween(charge.createdAt, attempt.createdAt), clockSteps)
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
  const change = changeBy(charge, attempt, answer, { enteredBy, createId: deps.createId })
  const written = await writeOutcome(deps, charge, change)
  if (written === null) {
    const recorded = await findAttempt(deps, { chargeId: charge.id, attemptId: attempt.id })
    return { ...recorded, isRecorded: false }
  }
  const { settledAt, version } = written
  const { status } = change
  const { authentication } = change.attempt
  if (authentication !== null) deps.onAuthenticated?.(charge.gatewayType, authentication.status)
  const settled: Attempt = { ...change.attempt, settledAt }
  const attempts = charge.attempts.map((one) => (one.id === settled.id ? settled : one))
  const moved = { ...charge, status, attempts, openAttemptId: null, version, updatedAt: settledAt }
  return { attempt: settled, charge: moved, isRecorded: true }
}

/** An attempt that is there, with its charge, as they are now. */
export async function findAttempt(
  { database }: Pick<AttemptStoreDeps, 'database'>,
  { chargeId, attemptId }: { chargeId: string; attemptId: string },
): Promise<AttemptResult> {
  const charge = await findCharge(database, chargeId)
  const attempt = charge?.attempts.find(({ id }) => id === attemptId)
  if (charge === null || attempt === undefined) throw new Error(`attempt ${attemptId} has gone`)
  return { charge, attempt }
}
