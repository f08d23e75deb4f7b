import { setTimeout as sleep } from 'node:timers/promises'
import type { MonotonicClock } from '../clocks.ts'
import { createRateLimit } from './rate-limit.ts'
import type { Rate } from './rate-limit.ts'
import type { RateWindow, RateWindowStore } from './rate-window-store.ts'

/** A limit on what one caller may do at all processes of the service together. */
export interface SharedLimit<Who extends string = string> {
  /** Counts one more for `who`. Resolves with 0 when it may go on, else the seconds (a whole number) to wait. */
  take: (who: Who) => Promise<number>
}

interface Parts {
  /** Tells this limit's counts from those of others. */
  name: string
  rate: Rate
  store: Pick<RateWindowStore, 'count'>
  clock: MonotonicClock
  /** Called with the first of several counts in a row that failed. */
  onFault: (error: unknown) => void
  /** A count that takes longer, in ms, is not waited for. */
  timeoutMs?: number
}

const TIMEOUT_MS = 250

/**
 * A rate limit in two steps. This process's own bucket comes first. What it lets through is then counted in the database, in
 * windows as long as a full bucket takes to empty, each for one burst of the caller at all processes. While the database is
 * slow or away the own bucket alone decides: nobody is turned away for lack of a count.
 */
export function createSharedLimit<Who extends string = string>(parts: Parts): SharedLimit<Who> {
  const { name, rate, store, clock, onFault, timeoutMs = TIMEOUT_MS } = parts
  const own = createRateLimit(rate, clock)
  const windowSeconds = Math.max(1, Math.round(rate.burst / rate.perSecond))
  const count = countTogether((takes) => store.count(name, takes, windowSeconds), timeoutMs, onFault)
  return {
    async take(who) {
      const ownWait = own.take(who)
      if (ownWait > 0) return ownWait
      const window = await count(who)
      if (window === null || window.taken <= rate.burst) return 0
      return Math.max(1, Math.ceil(window.msLeft / 1000))
    },
  }
}

type Windows = ReadonlyMap<string, RateWindow>

/** Takes that are counted by one statement. `windows`: null when the database did not answer in time. */
interface Batch {
  takes: Map<string, number>
  windows: Promise<Windows | null>
}

/**
 * Counts one take: answers with the caller's window as it was with this take and those before it. Takes gather while a
 * statement is under way and go with the next, so a flood costs a process one connection at most.
 */
function countTogether(
  count: (takes: ReadonlyMap<string, number>) => Promise<Windows>,
  timeoutMs: number,
  onFault: (error: unknown) => void,
): (who: string) => Promise<RateWindow | null> {
  let gathering: Batch | undefined
  let underWay: Promise<unknown> = Promise.resolve()
  let isFailing = false
  const tell = (error: unknown): null => {
    if (!isFailing) onFault(error)
    isFailing = true
    return null
  }
  const begin = (): Batch => {
    const takes = new Map<string, number>()
    const counting = underWay.then(async () => {
      gathering = undefined
      const windows = await count(takes)
      isFailing = false
      return windows
    })
    const counted = counting.catch(tell)
    underWay = counted
    return { takes, windows: Promise.race([counted, sleep(timeoutMs, null, { ref: false })]) }
  }
  return async (who) => {
    gathering ??= begin()
    const { takes, windows } = gathering
    const place = (takes.get(who) ?? 0) + 1
    takes.set(who, place)
    const window = (await windows)?.get(who)
    if (window === undefined) return null
    const later = (takes.get(who) ?? place) - place
    return { taken: window.taken - later, msLeft: window.msLeft }
  }
}
