import type { MonotonicClock, TimeOfDay } from '../clocks.ts'
import type { Queries } from './database.ts'
import { float8 } from './sql-types.ts'
import { statement } from './statement.ts'

/** The least jump of the database's clock, in ms, that counts as a step. */
const MIN_STEP_MS = 2000

const readClock = statement({
  name: 'read_clock',
  values: {},
  columns: { epoch_ms: float8 },
  sql: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS epoch_ms',
})

/**
 * The database's time of day, without asking it each time: what it said last, and how long ago that was. The date of
 * the service's own machine plays no part. Between two readings it only goes forward; a step of the database's clock is
 * followed at the next reading, all at once. It is as exact as the quickest answer of the database so far was quick.
 */
export interface DatabaseClock extends TimeOfDay {
  /** Reads the database's clock. Fails as any statement does, and then the clock runs on by itself. */
  refresh: () => Promise<void>
  /** How long ago, in ms, the database's clock was seen to step; Infinity if this process has never seen it. */
  msSinceStep: () => number
  /** Sum of all steps back since this process started, in ms. */
  setBackMs: () => number
}

/** Reads the database's clock for the first time. `onStep` is called with each step: ms, negative when it was set back. */
export async function startDatabaseClock(
  database: Queries,
  monotonic: MonotonicClock,
  onStep: (ms: number) => void = () => undefined,
): Promise<DatabaseClock> {
  const first = await offsetOf(database, monotonic)
  let offset = (first.min + first.max) / 2
  let steppedAt = -Infinity
  let setBackMs = 0
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    const { min, max } = await offsetOf(database, monotonic)
    // Within these bounds nothing is known better than before; a slow answer changes nothing.
    const step = Math.min(Math.max(offset, min), max) - offset
    offset += step
    if (Math.abs(step) < MIN_STEP_MS) return
    steppedAt = monotonic.elapsedMs()
    setBackMs += Math.max(0, -step)
    onStep(step)
  }

  return {
    epochMs: () => monotonic.elapsedMs() + offset,
    refresh: () => (reading ??= read().finally(() => (reading = undefined))),
    msSinceStep: () => monotonic.elapsedMs() - steppedAt,
    setBackMs: () => setBackMs,
  }
}

/** Between what the database's clock is ahead of the monotonic one: it was read after we asked and before we heard. */
async function offsetOf(database: Queries, monotonic: MonotonicClock): Promise<{ min: number; max: number }> {
  const asked = monotonic.elapsedMs()
  const [row] = await database.run(readClock, {})
  const heard = monotonic.elapsedMs()
  if (row === undefined) throw new Error('the database did not tell the time')
  return { min: row.epoch_ms - heard, max: row.epoch_ms - asked }
}
