/** For durations: ms since some moment of this process. It never steps, whatever happens to the machine's date. */
export interface MonotonicClock {
  elapsedMs: () => number
}

/** For dates: ms since 1970. The two kinds of clock have different methods, so that one can't be passed for the other. */
export interface TimeOfDay {
  epochMs: () => number
}

export const monotonicClock: MonotonicClock = { elapsedMs: () => performance.now() }
