import type { IdempotentRequest } from '../../platform/idempotency.ts'
import { refuseOtherRequest } from '../../platform/idempotency.ts'
import type { IsClockSteady } from '../../platform/jobs/when-steady.ts'
import { findByRequest } from './attempt-store.ts'
import type { RequestedAttempt } from './attempt-store.ts'
import { resolveAttempt } from './attempts.ts'
import { accessTokenOf } from './authentications.ts'
import type { AttemptDeps, AttemptResult } from './settle.ts'
import { chargeAfter } from './attempt-outcome.ts'
import { requestInProgress } from './charge.ts'
import type { Attempt, Charge } from './charge.ts'
import { takeAttempts } from './unfinished-store.ts'

export interface IdempotencyDeps extends AttemptDeps {
  isClockSteady: IsClockSteady
}

/**
 * Carries out a request once, however often it comes under its Idempotency-Key (contract §2). A repeated request is answered as the
 * first one was; another request under the same key is refused; while the first is under way, so is the second; and if the first got no
 * answer, the gateway is asked about its attempt.
 */
export async function oncePerRequest(
  deps: IdempotencyDeps,
  request: IdempotentRequest | null,
  perform: () => Promise<AttemptResult>,
): Promise<{ result: AttemptResult; isReplay: boolean }> {
  if (request === null) return { result: await perform(), isReplay: false }
  const known = await findByRequest(deps.database, request.key)
  if (known !== null) return replay(deps, known, request)
  try {
    return { result: await perform(), isReplay: false }
  } catch (error) {
    // If two come at once, the first may have taken the token or moved the charge before this one could begin.
    const first = await findByRequest(deps.database, request.key)
    if (first === null) throw error
    return replay(deps, first, request)
  }
}

async function replay(
  deps: IdempotencyDeps,
  { requestHash, isDue, charge, attempt }: RequestedAttempt,
  request: IdempotentRequest,
) {
  refuseOtherRequest(requestHash, request)
  if (attempt.outcome !== 'open') return { result: asItWasAfter(charge, attempt), isReplay: true }
  if (isWaiting(charge) && !isDue) return waiting(deps, { charge, attempt })
  if (!isDue || !(await deps.isClockSteady()) || !(await take(deps, charge, attempt)))
    throw requestInProgress()
  const resolved = await resolveAttempt(deps, charge, attempt)
  if (isWaiting(resolved.charge)) return waiting(deps, resolved)
  if (resolved.attempt.outcome === 'open') return { result: resolved, isReplay: false }
  return { result: asItWasAfter(resolved.charge, resolved.attempt), isReplay: true }
}

const isWaiting = ({ status }: Charge) => status === 'pre_authentication_pending'

/** The card holder is still being asked: the page may need the token once more. */
async function waiting(deps: AttemptDeps, { charge, attempt }: AttemptResult) {
  return { result: { charge, attempt, accessToken: await accessTokenOf(deps, attempt) }, isReplay: true }
}

function asItWasAfter(charge: Charge, attempt: Attempt): AttemptResult {
  return { charge: chargeAfter(charge, attempt), attempt }
}

/** Takes the attempt to ask about it; false if another process is asking, or an answer to the first request is being recorded. */
async function take({ database }: IdempotencyDeps, charge: Charge, attempt: Attempt): Promise<boolean> {
  const task = { id: attempt.id, merchantId: charge.merchantId, targetId: charge.gatewayId }
  return (await takeAttempts(database, [task])).length > 0
}
