import type { Queries } from '../database/database.ts'
import { arrayOf, float8, integer, text } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'

/** Sorted, so that processes that count the same callers wait for each other in one order. */
const countTakes = statement({
  name: 'count_rate_takes',
  values: { counted: arrayOf(text), taken: arrayOf(integer), window_seconds: integer },
  columns: { counted: text, taken: integer, ms_left: float8 },
  sql: `
    INSERT INTO rate_windows AS known (counted, ends_at, taken)
    SELECT counted,
           to_timestamp((floor(extract(epoch FROM now()) / :window_seconds::int) + 1) * :window_seconds::int), taken
    FROM unnest(:counted::text[], :taken::int[]) AS asked (counted, taken) ORDER BY counted
    ON CONFLICT (counted, ends_at) DO UPDATE SET taken = known.taken + excluded.taken
    RETURNING counted, taken, (extract(epoch FROM ends_at - now()) * 1000)::float8 AS ms_left`,
})
const forgetEnded = statement({
  name: 'forget_rate_windows',
  values: {},
  columns: {},
  sql: 'DELETE FROM rate_windows WHERE ends_at <= now()',
})

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
      const rows = await database.run(countTakes, {
        counted,
        taken: [...takes.values()],
        window_seconds: windowSeconds,
      })
      return new Map(
        rows.map((row) => [row.counted.slice(prefix.length), { taken: row.taken, msLeft: row.ms_left }]),
      )
    },
    async forgetEnded() {
      await database.run(forgetEnded, {})
    },
  }
}
