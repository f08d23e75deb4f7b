import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { migrations } from '../../platform/database/migrations.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { sumByPeriod } from './tallies.ts'

const step = migrations.findIndex(({ version }) => version.startsWith('056'))

/** As the version before step 056 leaves a year of charges of two merchants: every second hour has one of a dollar, in two currencies. */
const fillOf = (one: string, other: string) => `
  INSERT INTO charge_tallies
  SELECT merchant, span, is_whole, to_timestamp(floor(extract(epoch FROM at) / (60 * span)) * 60 * span), currency,
         CASE WHEN is_whole THEN 'all' ELSE 'visa' END, count(*), count(*) * 100, 0, 0, 0, 0, 0, 0, 0, 0
  FROM generate_series('2025-12-01T00:00Z'::timestamptz, '2026-11-30T22:00Z', interval '2 hours') at,
       (VALUES ('${one}'), ('${other}')) AS merchants (merchant), (VALUES ('AUD'), ('NZD')) AS currencies (currency),
       (VALUES (1440), (60), (15)) AS spans (span), (VALUES (true), (false)) AS kinds (is_whole)
  GROUP BY 1, 2, 3, 4, 5, 6`

let database: Database
beforeAll(async () => {
  database = await createTestDatabase()
  await migrate(database, migrations.slice(0, step))
  await database.script(fillOf('m1', 'm2'))
  await migrate(database, migrations)
})
afterAll(() => database.close())

it.each([
  ['Sydney', '2026-03-01T13:00Z'],
  ['Kathmandu', '2026-03-01T18:15Z'],
])('days of %s of what was counted before step 056 are told by it', async (_, start) => {
  const bounds = [0, 1, 2].map((day) => new Date(Date.parse(start) + day * 86_400_000))
  const found = await sumByPeriod(database, 'm2', bounds)
  const rows = found.map(({ period, tallies }) => [period, tallies.currency, tallies.authorised])
  const twelve = { count: 12, cents: 1200 }
  expect(rows).toEqual([
    [0, 'AUD', twelve],
    [0, 'NZD', twelve],
    [1, 'AUD', twelve],
    [1, 'NZD', twelve],
  ])
})

it('all schemes together are not kept by days any more', async () => {
  const spans = testStatement(
    't_spans',
    'SELECT DISTINCT span_minutes FROM charge_tallies WHERE is_whole ORDER BY 1',
  )
  expect(await database.run(spans, [])).toEqual([15, 60, 360].map((minutes) => ({ span_minutes: minutes })))
})

it('a process of the version before step 056 cannot count by days beside it', async () => {
  await expect(database.script(fillOf('m3', 'm4'))).rejects.toMatchObject({
    constraint: 'charge_tallies_span_minutes_check',
  })
})
