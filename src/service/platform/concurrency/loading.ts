import type { MonotonicClock } from '../clocks.ts'

interface Flight<Value> {
  running: Promise<Value>
  /** Begins when `running` ends; calls in the meantime share it. */
  next?: Promise<Value>
}

/**
 * One load at a time for each key, shared by all calls that came before it began. So no result is older than its call, and a
 * thousand calls at once cost two loads.
 */
export function singleFlight<Value>(load: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const flights = new Map<string, Flight<Value>>()
  const start = (key: string): Promise<Value> => {
    const running = load(key)
    const flight = { running }
    flights.set(key, flight)
    const end = () => {
      if (flights.get(key) === flight && !('next' in flight)) flights.delete(key)
    }
    running.then(end, end)
    return running
  }
  return (key) => {
    const flight = flights.get(key)
    if (flight === undefined) return start(key)
    const again = () => start(key)
    flight.next ??= flight.running.then(again, again)
    return flight.next
  }
}

/** Loads all keys asked for in one tick together. Gives null for a key that is not found; a load that fails rejects all of its calls. */
export function batchLoader<Found>(
  loadMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
): (key: string) => Promise<Found | null> {
  let next: { keys: Set<string>; found: Promise<ReadonlyMap<string, Found>> } | null = null
  const begin = () => {
    const keys = new Set<string>()
    const endOfTick = Promise.resolve()
    const found = endOfTick.then(() => {
      next = null
      return loadMany([...keys])
    })
    return { keys, found }
  }
  return async (key) => {
    next ??= begin()
    next.keys.add(key)
    return (await next.found).get(key) ?? null
  }
}

interface TtlCacheOptions {
  clock: MonotonicClock
  ttlMs: number
  /** A full cache is emptied. */
  maxEntries: number
}

interface TtlCache<Value> {
  /** Loads only what is not in the cache, or has been there for longer than its time to live. */
  get: (key: string) => Promise<Value>
  /** Loads in any case, and keeps the result. */
  reload: (key: string) => Promise<Value>
}

/** Keeps what was loaded for some time. */
export function ttlCache<Value>(
  { clock, ttlMs, maxEntries }: TtlCacheOptions,
  load: (key: string) => Promise<Value>,
): TtlCache<Value> {
  const entries = new Map<string, { value: Value; until: number }>()
  const reload = async (key: string) => {
    // Counts from before the load: a change from then on may be missing in a result that comes late.
    const until = clock.elapsedMs() + ttlMs
    const value = await load(key)
    if (entries.size >= maxEntries) entries.clear()
    entries.set(key, { value, until })
    return value
  }
  return {
    reload,
    get(key) {
      const entry = entries.get(key)
      const isFresh = entry !== undefined && entry.until > clock.elapsedMs()
      return isFresh ? Promise.resolve(entry.value) : reload(key)
    },
  }
}

/**
 * Groups single calls into batches of at most `max`: calls during a batch wait for the next one. `runBatch` returns a function that gives
 * each item its result. A call resolves with the result of its item, or rejects with its batch.
 */
export function callBatcher<Item, Result>(
  max: number,
  runBatch: (items: readonly Item[]) => Promise<(item: Item) => Result>,
): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item
    resolve: (result: Result) => void
    reject: (error: unknown) => void
  }
  const waiting: Waiting[] = []
  let isBusy = false

  async function runWaiting(): Promise<void> {
    isBusy = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, max)
      try {
        const resultOf = await runBatch(batch.map(({ item }) => item))
        const results = batch.map(({ item, resolve }) => ({ result: resultOf(item), resolve }))
        for (const { result, resolve } of results) resolve(result)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isBusy = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isBusy) void runWaiting()
    })
}
