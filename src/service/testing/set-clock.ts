import type { DatabaseClock } from '../platform/database/database-clock.ts'

/** A clock that stands still until a test moves it; it reports no steps of the time. */
export interface SetClock {
  timeOfDay: DatabaseClock
  /** ms since 1970. */
  setTime: (time: number) => void
  /** Moves the clock on by this many ms. */
  pass: (ms: number) => void
}

/** `time`: ms since 1970. */
export function createSetClock(time: number): SetClock {
  let now = time
  return {
    timeOfDay: {
      epochMs: () => now,
      refresh: () => Promise.resolve(),
      msSinceStep: () => Infinity,
      setBackMs: () => 0,
    },
    setTime: (next) => {
      now = next
    },
    pass: (ms) => {
      now += ms
    },
  }
}
