import type { Fault } from './service-request.ts'

/** What retries need of time. */
export interface Clock {
  /** Ms since some moment; the device's date, which may be set meanwhile, plays no part. */
  elapsed: () => number
  wait: (ms: number) => Promise<void>
  /** 0 to 1, for the jitter of pauses. */
  random: () => number
}

/** All tries and pauses end within this. */
const LIMIT_MS = 20_000
const ONE_TRY_MS = 8000
const PAUSES_MS = [600, 2000]
const LONGEST_ASKED_MS = 5000

/** Asks up to three times while the fault may pass, within 20 s; answers with the last outcome. */
export async function askWithRetries<Outcome extends { kind: string }>(
  askOnce: (timeoutMs: number) => Promise<Outcome | Fault>,
  { elapsed, wait, random }: Clock,
): Promise<Outcome | Fault> {
  const end = elapsed() + LIMIT_MS
  for (let tries = 0; ; tries += 1) {
    const outcome = await askOnce(Math.min(ONE_TRY_MS, end - elapsed()))
    const pause = isFault(outcome) ? pauseAfter(outcome, PAUSES_MS[tries], random) : null
    if (pause === null || elapsed() + pause >= end) return outcome
    await wait(pause)
  }
}

function isFault(outcome: { kind: string }): outcome is Fault {
  return outcome.kind === 'fault'
}

/** How long to wait before the next try; null if there shall be none. */
function pauseAfter(
  { retryable, afterMs }: Fault,
  pause: number | undefined,
  random: () => number,
): number | null {
  if (!retryable || pause === undefined) return null
  if (afterMs === undefined) return pause * (0.5 + random())
  return afterMs <= LONGEST_ASKED_MS ? afterMs : null
}
