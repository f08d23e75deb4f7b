import type { MonotonicClock } from '../clocks.ts'

/** The same failure is told again after this long. */
const AGAIN_AFTER_MS = 60_000

/**
 * Tells of failures of something that is done again and again. A database that is away fails each job several times a second: what fails as
 * before is told once a minute, with how often the same was not told since.
 */
export function tellFailures(
  tell: (error: unknown, untold: number) => void,
  clock: MonotonicClock,
): (error: unknown) => void {
  let last: { words: string; at: number } | null = null
  let untold = 0
  return (error) => {
    const words = String(error)
    const now = clock.elapsedMs()
    if (last?.words !== words) untold = 0
    else if (now - last.at < AGAIN_AFTER_MS) {
      untold += 1
      return
    }
    tell(error, untold)
    last = { words, at: now }
    untold = 0
  }
}
