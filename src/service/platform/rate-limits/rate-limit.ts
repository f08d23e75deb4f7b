import type { MonotonicClock } from '../clocks.ts'

/** How much of what one caller may do (contract §2). */
export interface RateLimits {
  /** Requests with one merchant's public keys, and with its secret keys, in this process. */
  perKey: Rate
  /** Requests from one caller by address, in this process. */
  perAddress: Rate
  /** Cards from one address, at all processes: who tests stolen numbers sends many. */
  cardsPerAddress: Rate
  /** Processor time, in ms, for what one caller sent that came to nothing, in this process. A usual request takes less than 1 ms. */
  wastedWorkPerAddress: Rate
  /** Wrong keys from one address, at all processes. */
  wrongKeysPerAddress: Rate
}

/** How often something may be done: `perSecond` on average, `burst` at once after a rest. */
export interface Rate {
  perSecond: number
  burst: number
}

/** `Who`: what it counts by, such as `CallerKey` for a limit by address. */
export interface RateLimit<Who extends string = string> {
  /** Counts one more for `who`. Returns 0 when it may go on, else the seconds (a whole number) to wait. */
  take: (who: Who) => number
  /** Counts this much for `who`, also where it is too much. */
  charge: (who: Who, amount: number) => void
  /** The seconds to wait until one more may go on; counts nothing. */
  waitOf: (who: Who) => number
}

/** More callers than that in one window are an attack with many addresses: the longest known are forgotten. */
const MAX_KNOWN = 50_000

/**
 * A leaky bucket per caller (GCRA): all that is kept is the time at which its bucket will be empty, one number. Counts
 * are this process's own. The clock never steps, so nobody waits longer than a full bucket takes to empty.
 */
export function createRateLimit<Who extends string = string>(
  { perSecond, burst }: Rate,
  clock: MonotonicClock,
): RateLimit<Who> {
  const emptyAt = new Map<string, number>()
  const intervalMs = 1000 / perSecond
  const maxAheadMs = burst * intervalMs
  const waitOf = (who: Who): number => {
    const now = clock.elapsedMs()
    const excessMs = Math.max(emptyAt.get(who) ?? 0, now) + intervalMs - now - maxAheadMs
    // Sums of fractions may be a hair above what they stand for.
    return excessMs > 1e-3 ? Math.ceil(excessMs / 1000) : 0
  }
  const charge = (who: Who, amount: number): void => {
    const now = clock.elapsedMs()
    const known = emptyAt.get(who)
    if (known === undefined && emptyAt.size >= MAX_KNOWN) makeRoom(emptyAt, now)
    emptyAt.set(who, Math.max(known ?? 0, now) + amount * intervalMs)
  }
  return {
    waitOf,
    charge,
    take(who) {
      const wait = waitOf(who)
      if (wait === 0) charge(who, 1)
      return wait
    },
  }
}

function makeRoom(emptyAt: Map<string, number>, now: number): void {
  for (const [who, time] of emptyAt) if (time <= now) emptyAt.delete(who)
  for (const who of emptyAt.keys()) {
    if (emptyAt.size <= MAX_KNOWN / 2) return
    emptyAt.delete(who)
  }
}
