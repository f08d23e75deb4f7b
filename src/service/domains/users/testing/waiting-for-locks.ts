import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../platform/database/database.ts'
import { testStatement } from '../../../testing/test-statement.ts'

const enoughWait = testStatement<{ enough: boolean }>(
  't_enough_wait_for_locks',
  `SELECT count(*) >= $1::int AS enough FROM pg_stat_activity
   WHERE datname = current_database() AND wait_event_type = 'Lock'`,
)

const MAX_TRIES = 300

/** Resolves once this many transactions wait for a lock. Throws if they do not within three seconds. */
export async function untilWaiting(database: Database, count: number): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const [row] = await database.run(enoughWait, [count])
    if (row?.enough === true) return
    await pause(10)
  }
  throw new Error(`${String(count)} transactions should wait for a lock`)
}
