import { createHash } from 'node:crypto'
import type { IdempotentRequest } from '../../platform/idempotency.ts'
import type { FollowedSale, FollowUpRequest, OutcomeRequest } from '../gateways/gateway.ts'
import { saleOf } from './charge.ts'
import type { Attempt, Charge } from './charge.ts'

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
  const seemsMs = charge.ageMs - msBetween(charge.createdAt, attempt.createdAt)
  const asked = { ...toGatewayRequest(charge, attempt, signal), ...attemptAge(seemsMs, clockSteps) }
  return attempt.type === 'sale'
    ? { ...asked, type: 'sale', capture: !charge.preAuth }
    : { ...asked, type: attempt.type, sale: followedSaleOf(charge, attempt) }
}

export function toGatewayRequest({ currency }: Charge, { id, amount }: Attempt, signal: AbortSignal) {
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
