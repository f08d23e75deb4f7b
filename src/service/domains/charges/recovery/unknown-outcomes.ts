import type { MonotonicClock } from '../../../platform/clocks.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { bigint, cents, float8, integer, text, textOf } from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { AttemptType } from '../charge.ts'
import { MAX_COUNTED } from '../../../platform/metrics.ts'
import { ASK_AFTER_SECONDS } from '../statements/ask-after.ts'

const AGE = 'extract(epoch FROM now() - a.created_at)'
/** The oldest attempts without an outcome, by attempts_open_by_age: no more are read than are shown or counted, however many there are. */
const unknown = (most: number) => `
  a.settled_at IS NULL AND a.created_at < now() - make_interval(secs => :seconds)
  ORDER BY a.created_at LIMIT ${String(most)}`

export const countUnknown = statement({
  name: 'unknown_outcomes_count',
  values: { seconds: float8 },
  columns: { count: bigint, oldest: float8 },
  sql: `
    SELECT count(*) AS count, coalesce(max(${AGE}), 0)::float8 AS oldest
    FROM (SELECT a.created_at FROM attempts a WHERE ${unknown(MAX_COUNTED)}) a`,
})
const unknownColumns = {
  attempt_id: text,
  charge_id: text,
  merchant_id: text,
  type: textOf<AttemptType>(),
  amount_cents: cents,
  times_asked: integer,
  age_seconds: integer,
}
export const listUnknown = statement({
  name: 'unknown_outcomes_list',
  values: { seconds: float8 },
  columns: unknownColumns,
  sql: `
    SELECT a.id AS attempt_id, a.charge_id, c.merchant_id, a.type, a.amount AS amount_cents, a.times_asked,
           floor(${AGE})::int AS age_seconds
    FROM attempts a JOIN charges c ON c.id = a.charge_id
    WHERE ${unknown(1000)}`,
})

/** A movement that was sent to a gateway and that nobody knows the outcome of. */
export type UnknownOutcome = ValuesOf<typeof unknownColumns>

/** How many outcomes are unknown, by the database's clock, `MAX_COUNTED` at most, and the age of the oldest in seconds. */
export async function countUnknownOutcomes(
  database: Queries,
): Promise<{ count: number; oldestSeconds: number }> {
  const [row] = await database.run(countUnknown, { seconds: ASK_AFTER_SECONDS })
  return { count: row?.count ?? 0, oldestSeconds: row?.oldest ?? 0 }
}

/** Those that have been unknown for this many seconds, the oldest first, 1,000 at most. */
export function listUnknownOutcomes(
  database: Queries,
  seconds = ASK_AFTER_SECONDS,
): Promise<UnknownOutcome[]> {
  return database.run(listUnknown, { seconds })
}

interface Watch {
  database: Queries
  /** Once for each that stays unknown, and again each hour. */
  warn: (unknown: UnknownOutcome) => void
  clock: MonotonicClock
}

const WARN_AFTER_SECONDS = 60
const AGAIN_AFTER_MS = 3_600_000

/** The work of a job: reports outcomes that have been unknown for over a minute. */
export function watchUnknownOutcomes({ database, warn, clock }: Watch): () => Promise<void> {
  let warnedAt = new Map<string, number>()
  return async () => {
    const unknown = await listUnknownOutcomes(database, WARN_AFTER_SECONDS)
    const now = clock.elapsedMs()
    const before = warnedAt
    warnedAt = new Map()
    for (const one of unknown) {
      const last = before.get(one.attempt_id)
      const isDue = last === undefined || now - last >= AGAIN_AFTER_MS
      if (isDue) warn(one)
      warnedAt.set(one.attempt_id, isDue ? now : last)
    }
  }
}
