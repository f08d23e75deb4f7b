import { setTimeout as sleep } from 'node:timers/promises'
import { BATCH_ROWS } from './batch-rows.ts'

/**
 * The pause after a batch, as a multiple of the time that the batch took: three quarters of the time are left to requests.
 */
const REST = 3

/** As a job has them. */
interface BatchWork {
  work: () => Promise<void>
  abort: () => void
}

/**
 * Work on any number of rows. Each step changes `BATCH_ROWS` at most and returns how many; it is repeated, with a pause after each
 * batch so that requests hardly notice, until nothing is left. A step that fails does not keep the others from running: their
 * error, or an `AggregateError` of several, is thrown at the end. `abort` ends the work after the batch under way.
 */
export function workInBatches(steps: readonly (() => Promise<number>)[]): BatchWork {
  const end = new AbortController()
  const doAll = async (step: () => Promise<number>) => {
    while (!end.signal.aborted) {
      const began = performance.now()
      if ((await step()) < BATCH_ROWS) return
      await sleep(REST * (performance.now() - began), undefined, { signal: end.signal }).catch(
        () => undefined,
      )
    }
  }
  return {
    async work() {
      const errors: unknown[] = []
      for (const step of steps) await doAll(step).catch((error: unknown) => errors.push(error))
      if (errors.length > 1) throw new AggregateError(errors, 'several steps failed')
      if (errors.length === 1) throw errors[0]
    },
    abort: () => end.abort(),
  }
}
