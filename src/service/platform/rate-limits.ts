import { setTimeout as sleep } from 'node:timers/promises'
import type { MonotonicClock } from './clocks.ts'
import type { Queries } from './database/database.ts'
import { arrayOf, float8, integer, text } from './database/sql-types.ts'
import { statement } from './database/statement.ts'

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

/** Sorted, so that processes that count the same callers wait for each other in one order. */
const countTakes = statement({
  name: 'count_rate_takes',
  values: { counted: arrayOf(text), taken: arrayOf(integer), window_seconds: integer },
  columns: { counted: text, taken: integer, ms_left: float8 },
  sql: `
    INSERT INTO rate_windows AS known (counted, ends_at, taken)
    SELECT counted,
           to_timestamp((floor(extract(epoch FROM now()) / :window_seconds::int) + 1) * :window_seconds::int), taken
    FROM unnest(:counted::text[], :taken::int[]) AS asked (counted, taken) ORDER BY counted
    ON CONFLICT (counted, ends_at) DO UPDATE SET taken = known.taken + excluded.taken
    RETURNING counted, taken, (extract(epoch FROM ends_at - now()) * 1000)::float8 AS ms_left`,
})
const forgetEnded = statement({
  name: 'forget_rate_windows',
  values: {},
  columns: {},
  sql: 'DELETE FROM rate_windows WHERE ends_at <= now()',
})

/** How much one caller has taken in the window that is open, by all processes, and how long that stays open. */
export interface RateWindow {
  taken: number
  msLeft: number
}

/** Windows of time in which all processes count together, by the database's clock. */
export interface RateWindowStore {
  /** Adds what each caller took of a limit; answers with their windows. Every window of a limit is as long. */
  count: (
    limit: string,
    takes: ReadonlyMap<string, number>,
    windowSeconds: number,
  ) => Promise<ReadonlyMap<string, RateWindow>>
  forgetEnded: () => Promise<void>
}

export function createRateWindowStore(database: Queries): RateWindowStore {
  return {
    async count(limit, takes, windowSeconds) {
      const prefix = `${limit} `
      const counted = [...takes.keys()].map((who) => prefix + who)
      const rows = await database.run(countTakes, {
        counted,
        taken: [...takes.values()],
        window_seconds: windowSeconds,
      })
      return new Map(
        rows.map((row) => [row.counted.slice(prefix.length), { taken: row.taken, msLeft: row.ms_left }]),
      )
    },
    async forgetEnded() {
      await database.run(forgetEnded, {})
    },
  }
}
