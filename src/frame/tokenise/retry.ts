import type { Browser } from '../browser.ts'
import type { Fault } from './service-request.ts'

/** Limit for all tries and pauses together. */
const TOTAL_TIMEOUT_MS = 40_000
/** A slow service is given more time at each try, as it would never answer in time otherwise. */
const TRY_TIMEOUTS_MS = [10_000, 15_000, 20_000]
const PAUSES_MS = [600, 2000]
/** Longest pause that a `retry-after` header can ask for; after a longer one the person decides. */
const LONGEST_RETRY_AFTER_MS = 5000

/** Asks up to three times while the fault is retryable, within 40 s. Returns the last outcome. */
export async function askWithRetries<Outcome extends { kind: string }>(
  askOnce: (timeoutMs: number) => Promise<Outcome | Fault>,
  { elapsed, wait, random }: Pick<Browser, 'elapsed' | 'wait' | 'random'>,
): Promise<Outcome | Fault> {
  const end = elapsed() + TOTAL_TIMEOUT_MS
  for (let tries = 0; ; tries += 1) {
    const outcome = await askOnce(Math.min(TRY_TIMEOUTS_MS[tries] ?? TOTAL_TIMEOUT_MS, end - elapsed()))
    const pause = isFault(outcome) ? pauseAfter(outcome, PAUSES_MS[tries], random) : null
    if (pause === null || elapsed() + pause >= end) return outcome
    await wait(pause)
  }
}

function isFault(outcome: { kind: string }): outcome is Fault {
  return outcome.kind === 'fault'
}

/** Ms to wait before the next try, with jitter; null for no further try. */
function pauseAfter(
  { retryable, afterMs }: Fault,
  pause: number | undefined,
  random: () => number,
): number | null {
  if (!retryable || pause === undefined) return null
  if (afterMs === undefined) return pause * (0.5 + random())
  return afterMs <= LONGEST_RETRY_AFTER_MS ? afterMs : null
}
