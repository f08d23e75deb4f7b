import { setTimeout as sleep } from 'node:timers/promises'
import { bigint } from '../database/sql-types.ts'

/** The most rows that one statement changes if there may be any number; it takes some 20 ms. */
export const BATCH_ROWS = 1000

/** What such a statement returns: how many rows it changed. */
export const batchColumns = { count: bigint }

interface Batch {
  /** An `UPDATE` or `DELETE`, without a condition. */
  change: string
  /** Where the rows are: what follows `FROM`. */
  found: string
  /** The order of the index that finds them; by another, the whole table might be read for the first of them. */
  order: string
  /** The column that identifies a row. */
  key: string
}

/** SQL that changes at most `BATCH_ROWS` rows, and leaves out rows that are locked. */
export const batchOf = ({ change, found, order, key }: Batch): string => `
  WITH changed AS (
    ${change} WHERE ${key} = ANY (ARRAY(
      SELECT ${key} FROM ${found} ORDER BY ${order} LIMIT ${String(BATCH_ROWS)} FOR UPDATE SKIP LOCKED)) RETURNING 1
  )
  SELECT count(*) AS count FROM changed`

/** How many rows such a statement has changed. */
export function countIn(rows: readonly { count: number }[]): number {
  return rows[0]?.count ?? 0
}

/** The pause after a batch, as a multiple of the batch's own time: three quarters of the time are left to requests. */
const REST = 3

interface BatchWork {
  work: () => Promise<void>
  abort: () => void
}

/**
 * Changes any number of rows, batch by batch. Each step changes at most `BATCH_ROWS` and returns how many; it is repeated, with pauses
 * in which requests run, until nothing is left. If a step fails, the others still run; the error, or an `AggregateError` of several, is
 * thrown at the end. `abort` ends the work after the current batch.
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
