import { setTimeout as sleep } from 'node:timers/promises'
import { PIECE } from './piece.ts'

/** The pause after a piece, to the time that it took: three quarters of that time are left to requests. */
const REST = 3

/** As a job has them. */
interface Piecewise {
  work: () => Promise<void>
  abort: () => void
}

/**
 * Work on however many rows, of which each step does at most `PIECE` and says how many they were: with a rest after each piece, so that
 * requests hardly notice, and until there is nothing more. `abort` ends it after the piece that is under way.
 */
export function piecewise(steps: readonly (() => Promise<number>)[]): Piecewise {
  const end = new AbortController()
  const doAll = async (step: () => Promise<number>) => {
    while (!end.signal.aborted) {
      const began = performance.now()
      if ((await step()) < PIECE) return
      await sleep(REST * (performance.now() - began), undefined, { signal: end.signal }).catch(
        () => undefined,
      )
    }
  }
  return {
    async work() {
      for (const step of steps) await doAll(step)
    },
    abort: () => end.abort(),
  }
}
