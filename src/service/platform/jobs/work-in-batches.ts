import { setTimeout as sleep } from 'node:timers/promises'
import { BATCH_ROWS } from './batch-rows.ts'

/** The pause after a batch, to the time that it took: three quarters of that time are left to requests. */
const REST = 3

/** As a job has them. */
interface BatchWork {
  work: () => Promise<void>
  abort: () => void
}

/**
 * Work on however many rows, of which each step does at most `BATCH_ROWS` and says how many they were: with a rest after each batch, so that
 * requests hardly notice, and until there is nothing more. A step that fails keeps none of the others from being done: the work fails
 * at its end, with its error or an `AggregateError` of several. `abort` ends it after the batch that is under way.
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
