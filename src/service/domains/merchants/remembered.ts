import type { MonotonicClock } from '../../platform/clocks.ts'

/** How long an answer about a gateway or a merchant may be used again. */
const REMEMBERED_MS = 5000
const MAX_REMEMBERED = 10_000

interface Remembered<Value> {
  /** From memory, where it was read within a few seconds. */
  recall: (name: string) => Promise<Value>
  readAnew: (name: string) => Promise<Value>
}

/** What `ask` answers, used again for some seconds. */
export function remembered<Value>(
  clock: MonotonicClock,
  ask: (name: string) => Promise<Value>,
): Remembered<Value> {
  const known = new Map<string, { value: Value; until: number }>()
  const readAnew = async (name: string) => {
    // From before it is asked: what changes from then on may be missing in the answer, which may come late.
    const until = clock.elapsedMs() + REMEMBERED_MS
    const value = await ask(name)
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(name, { value, until })
    return value
  }
  return {
    readAnew,
    recall(name) {
      const entry = known.get(name)
      const isFresh = entry !== undefined && entry.until > clock.elapsedMs()
      return isFresh ? Promise.resolve(entry.value) : readAnew(name)
    },
  }
}
