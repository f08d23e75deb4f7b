const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds to wait after each failed attempt, as Standard Webhooks proposes; after the last nobody tries again. */
const DELAYS = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]

/** The most by which a delay is varied at random, so that a server that comes back is not flooded. */
const JITTER = 0.2

/** The longest delay after each number of attempts, from 1 on, in seconds. */
export const LONGEST_DELAYS: readonly number[] = DELAYS.map((delay) => delay * (1 + JITTER))

/** Seconds until the next attempt after `attempts` of them, or null when there is none; `random` gives 0 to 1. */
export function retryDelay(attempts: number, random: () => number): number | null {
  const delay = DELAYS[attempts - 1]
  return delay === undefined ? null : delay * (1 - JITTER + 2 * JITTER * random())
}
