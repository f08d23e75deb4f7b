import { statement } from '../database/database.ts'
import type { Queries } from '../database/database.ts'

interface WindowRow {
  counted: string
  taken: number
  ms_left: number
}

/** Sorted, so that processes that count the same callers wait for each other in one order. */
const countTakes = statement<WindowRow>(
  'count_rate_takes',
  `INSERT INTO rate_windows AS known (counted, ends_at, taken)
   SELECT counted, to_timestamp((floor(extract(epoch FROM now()) / $3::int) + 1) * $3::int), taken
   FROM unnest($1::text[], $2::int[]) AS asked (counted, taken) ORDER BY counted
   ON CONFLICT (counted, ends_at) DO UPDATE SET taken = known.taken + excluded.taken
   RETURNING counted, taken, (extract(epoch FROM ends_at - now()) * 1000)::float8 AS ms_left`,
)
const forgetEnded = statement('forget_rate_windows', 'DELETE FROM rate_windows WHERE ends_at <= now()')

/** How much one caller has taken in the window that is open, by all processes, and how long that stays open. */
export interface RateWindow {
  taken: number
  msLeft: number
}

/** Windows of time in which all processes count together, by the database's clock. */
export interface RateWindowStore {
  /** Adds what each caller took of a limit; answers with their windows. Every window of a limit is as long. */
  count: (
    limit: string,
    takes: ReadonlyMap<string, number>,
    windowSeconds: number,
  ) => Promise<ReadonlyMap<string, RateWindow>>
  forgetEnded: () => Promise<void>
}

export function createRateWindowStore(database: Queries): RateWindowStore {
  return {
    async count(limit, takes, windowSeconds) {
      const prefix = `${limit} `
      const counted = [...takes.keys()].map((who) => prefix + who)
      const rows = await database.run(countTakes, [counted, [...takes.values()], windowSeconds])
      return new Map(
        rows.map((row) => [row.counted.slice(prefix.length), { taken: row.taken, msLeft: row.ms_left }]),
      )
    },
    async forgetEnded() {
      await database.run(forgetEnded, [])
    },
  }
}
