import { SvcError } from '../svc-error.ts'
import type { Runtime } from './runtime.ts'
import type { RetryLimits } from './retry-limits.ts'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8_000

interface Retrying {
  limits: RetryLimits
  runtime: Runtime
  /** The caller's signal: it ends the tries and the waits between them. */
  signal: AbortSignal | undefined
}

/**
 * Carries out a try, again after a failure that is `retryable`. Throws the last failure once the tries or the time are used up;
 * where the next try could not begin in time, at once.
 */
export async function withRetries<T>(
  carryOut: (signal: AbortSignal) => Promise<T>,
  { limits, runtime, signal }: Retrying,
): Promise<T> {
  const end = runtime.now() + limits.deadlineMs
  for (let tries = 1; ; tries += 1) {
    try {
      return await carryOut(signalOfTry(Math.min(limits.tryTimeoutMs, end - runtime.now()), signal))
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof SvcError && error.retryable) || tries >= limits.tries) throw error
      const delay = waitBeforeNextTry(tries, error.retryAfter, runtime.random)
      if (runtime.now() + delay >= end) throw error
      await runtime.wait(delay, signal)
    }
  }
}

function signalOfTry(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)))
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout])
}

/**
 * ms: twice as long after each try, of which a random half is left out so that many callers don't come back at once. Never
 * shorter than what the service asks for (`retryAfter`, in seconds).
 */
export function waitBeforeNextTry(tries: number, retryAfter: number | null, random: () => number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1))
  const moved = longest * (0.5 + random() / 2)
  return retryAfter === null ? moved : retryAfter * 1000 + moved
}
