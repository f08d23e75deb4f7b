import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { sealEvents } from '../audit/audit-log.ts'
import { countUnsealed, readHead, sealStatement } from '../audit/chain-store.ts'
import {
  eventOf,
  happening,
  merchantOf,
  plainCount,
  plainPeriods,
  schemeOf,
} from './testing/random-happenings.ts'
import type { Happening } from './testing/random-happenings.ts'
import { countedTo, countNewEvents, recountFromNothing, sumByPeriod } from './tallies.ts'
import { periodsBetween, SPANS_MINUTES, rangesBetween } from './tallies.ts'

const addCharge = testStatement(
  't_charge',
  `INSERT INTO charges (id, merchant_id, gateway_id, token_hash, status, pre_auth, amount, currency, customer, payment_source)
   VALUES ($1, $2, 'g', '\\x00', 'complete', true, 1000, 'AUD', '{}', json_build_object('card_scheme', $3::text))`,
)
const addEvent = testStatement(
  't_event',
  `INSERT INTO event_outbox (id, merchant_id, type, subject, actor, facts, created_at)
   VALUES ($1, $2, $3, $4, 'merchant', $5, $6)`,
)
const readTable = testStatement<Record<string, unknown>>(
  't_tallies',
  `SELECT * FROM charge_tallies ORDER BY merchant_id, span_minutes, starts_at, currency, scheme`,
)
const readDeclines = testStatement<Record<string, unknown>>(
  't_declines',
  `SELECT * FROM charge_declines ORDER BY merchant_id, span_minutes, starts_at, currency, reason`,
)

const BEGIN = Date.parse('2026-03-01T00:00:00Z')
const minuteOf = (startsAt: unknown) =>
  startsAt instanceof Date ? (startsAt.getTime() - BEGIN) / 60_000 : NaN

/** The same of the tables. */
async function counted(database: Database) {
  const tallies: Record<string, number> = {}
  for (const row of await database.run(readTable, [])) {
    const key = [row['merchant_id'], row['span_minutes'], minuteOf(row['starts_at']), row['scheme']].join()
    for (const [name, value] of Object.entries(row).filter(([, sum]) => sum !== 0)) {
      const [, kind, what] = /^(\w+)_(count|cents)$/.exec(name) ?? []
      if (kind !== undefined && what !== undefined) tallies[`${key},${kind} ${what}`] = Number(value)
    }
  }
  const declines: Record<string, number> = {}
  for (const row of await database.run(readDeclines, [])) {
    const key = [row['merchant_id'], row['span_minutes'], minuteOf(row['starts_at']), row['reason']].join()
    declines[`${key},count`] = Number(row['count'])
    declines[`${key},cents`] = Number(row['cents'])
  }
  return { tallies, declines }
}

let database: Database
const sealing = sealStatement(({ from }) => `SELECT 1 FROM ${from}`)
let events = 0
beforeAll(async () => {
  database = await createMigratedDatabase()
  for (let n = 0; n <= 40; n += 1)
    await database.run(addCharge, [`c${String(n)}`, merchantOf(n), schemeOf(n)])
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.script('DELETE FROM charge_tallies; DELETE FROM charge_declines')
})

async function happen(happenings: readonly Happening[]) {
  for (const one of happenings) {
    const { type, facts } = eventOf(one)
    const at = new Date(BEGIN + one.minute * 60_000 + 59_999)
    events += 1
    const values = [`e${String(events)}`, merchantOf(one.charge), type, `c${String(one.charge)}`, facts, at]
    await database.run(addEvent, values)
  }
  while ((await countUnsealed(database)) > 0) await sealEvents(database, sealing)
}
const length = async () => (await readHead(database)).length
const count = () => countNewEvents(database, length)

describe('tallies of charges', () => {
  it('equal a plain count of the events, whoever counts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(happening, { maxLength: 12 }), { maxLength: 5 }), async (pieces) => {
        await database.script('DELETE FROM charge_tallies; DELETE FROM charge_declines')
        for (const piece of pieces) {
          await happen(piece)
          await Promise.all([count(), count(), count()])
        }
        await count()
        expect(await countedTo(database)).toBe(await length())
        expect(await counted(database)).toEqual(plainCount(pieces.flat()))
      }),
      { numRuns: 25 },
    )
  })

  it('of any periods equal a plain count of the events', async () => {
    const quarters = fc.uniqueArray(fc.integer({ min: -8, max: 36 }), { minLength: 2, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 30 }), quarters, async (happenings, drawn) => {
        await database.script('DELETE FROM charge_tallies; DELETE FROM charge_declines')
        await happen(happenings)
        await count()
        const bounds = drawn.toSorted((one, other) => one - other).map((quarter) => quarter * 15)
        const found = await sumByPeriod(
          database,
          'm0',
          bounds.map((minute) => new Date(BEGIN + minute * 60_000)),
        )
        const expected = plainPeriods(happenings, 'm0', bounds)
        expect(found).toEqual(expected.toSorted((one, other) => one.period - other.period))
      }),
      { numRuns: 25 },
    )
  })

  it('are the same after all was forgotten and counted anew', async () => {
    await recountFromNothing(database)
    expect([await countedTo(database), await counted(database)]).toEqual([0, { tallies: {}, declines: {} }])
    await count()
    const before = await counted(database)
    expect(Object.keys(before.tallies).length).toBeGreaterThan(50)
    await recountFromNothing(database)
    await Promise.all([count(), count()])
    expect(await counted(database)).toEqual(before)
  })

  it('count each event once even if a count is killed', async () => {
    await recountFromNothing(database)
    await count()
    const before = await counted(database)
    await recountFromNothing(database)
    const killed = await database.transaction(async (queries) => {
      await queries.script('LOCK TABLE charge_declines IN SHARE MODE')
      const counting = count().then(
        () => 'counted',
        () => 'killed',
      )
      const kill = testStatement<{ done: boolean }>(
        't_kill',
        "SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%turn AS%' AND datname = current_database()",
      )
      while ((await database.run(kill, [])).length === 0) await pause(10)
      return counting
    })
    expect([killed, await countedTo(database)]).toEqual(['killed', 0])
    await count()
    expect(await counted(database)).toEqual(before)
  })

  it('leave out other events and outcomes that do not count', async () => {
    const from = await countedTo(database)
    await database.run(addEvent, ['other', 'm0', 'webhook.created', 'w', {}, new Date()])
    await happen([
      {
        charge: 1,
        kind: 'other',
        reason: 'suspected_fraud',
        isSale: true,
        cents: 1,
        minute: 1,
      },
    ])
    await count()
    expect(await countedTo(database)).toBe(from + 2)
    expect(await counted(database)).toEqual({ tallies: {}, declines: {} })
  })
})

const at = (text: string) => Date.parse(`2026-${text}:00Z`) / 60_000
const timeOf = (minute: number) => new Date(minute * 60_000).toISOString().slice(5, 16)
const shown = (from: string, to: string) =>
  rangesBetween(at(from), at(to)).map((range) => [
    range.spanMinutes,
    timeOf(range.fromMinute),
    timeOf(range.toMinute),
  ])

it.each([
  ['a day of UTC', '03-01T00:00', '03-02T00:00', [[1440, '03-01T00:00', '03-02T00:00']]],
  ['a day in Sydney', '02-28T13:00', '03-01T13:00', [[60, '02-28T13:00', '03-01T13:00']]],
  [
    'a day in Kathmandu',
    '02-28T18:15',
    '03-01T18:15',
    [
      [15, '02-28T18:15', '02-28T19:00'],
      [60, '02-28T19:00', '03-01T18:00'],
      [15, '03-01T18:00', '03-01T18:15'],
    ],
  ],
  [
    'three days in Adelaide',
    '02-28T13:30',
    '03-03T13:30',
    [
      [15, '02-28T13:30', '02-28T14:00'],
      [60, '02-28T14:00', '03-01T00:00'],
      [1440, '03-01T00:00', '03-03T00:00'],
      [60, '03-03T00:00', '03-03T13:00'],
      [15, '03-03T13:00', '03-03T13:30'],
    ],
  ],
  ['a quarter of an hour', '03-01T00:15', '03-01T00:30', [[15, '03-01T00:15', '03-01T00:30']]],
  ['nothing', '03-01T00:15', '03-01T00:15', []],
])('%s is covered by %s to %s', (_, from, to, expected) => {
  expect(shown(from, to)).toEqual(expected)
})

it('ranges follow one another without a gap, on the bounds of their spans', () => {
  const quarter = fc.integer({ min: 0, max: 4000 }).map((count) => count * 15)
  fc.assert(
    fc.property(quarter, quarter, (one, other) => {
      const [from, to] = one < other ? [one, other] : [other, one]
      let end = from
      for (const { spanMinutes, fromMinute, toMinute } of rangesBetween(from, to)) {
        expect([fromMinute % spanMinutes, toMinute % spanMinutes]).toEqual([0, 0])
        expect([fromMinute, toMinute > fromMinute]).toEqual([end, true])
        expect(SPANS_MINUTES).toContain(spanMinutes)
        end = toMinute
      }
      expect(end).toEqual(to)
    }),
  )
})

describe('periods', () => {
  it.each([
    ['a day of UTC', ['03-01T00:00', '03-02T00:00'], ['03-01T00:00', '03-02T00:00'], [], []],
    [
      'two days in Sydney',
      ['02-28T13:00', '03-01T13:00', '03-02T13:00'],
      ['02-28T12:00', '03-01T12:00', '03-02T12:00'],
      ['02-28T12:00', '03-01T12:00', '03-02T12:00'],
      [],
    ],
    [
      'the day on which summer ends in Sydney',
      ['04-04T13:00', '04-05T14:00'],
      ['04-04T12:00', '04-05T12:00'],
      ['04-04T12:00', '04-05T12:00', '04-05T13:00'],
      [],
    ],
    [
      'a day in Berlin, which begins before its mark',
      ['02-28T23:00', '03-01T23:00'],
      ['03-01T00:00', '03-02T00:00'],
      ['02-28T23:00', '03-01T23:00'],
      [],
    ],
    [
      'a day in Kathmandu',
      ['02-28T18:15', '03-01T18:15'],
      ['02-28T18:00', '03-01T18:00'],
      [],
      ['02-28T18:00', '03-01T18:00'],
    ],
    [
      'two hours in Adelaide, of which one has no time between its marks',
      ['03-01T07:30', '03-01T08:30', '03-01T09:30'],
      ['03-01T06:00', '03-01T06:00', '03-01T12:00'],
      ['03-01T06:00', '03-01T10:00', '03-01T11:00'],
      [
        '03-01T07:00',
        '03-01T07:15',
        '03-01T07:30',
        '03-01T07:45',
        '03-01T08:00',
        '03-01T08:15',
        '03-01T09:30',
        '03-01T09:45',
      ],
    ],
  ])('of %s have these marks, and these hours and quarter hours are moved', (_, bounds, ...expected) => {
    const { marks, hours, quarters } = periodsBetween(bounds.map(at))
    expect([marks, hours, quarters].map((minutes) => minutes.map(timeOf))).toEqual(expected)
  })

  it('have each quarter hour of their time once, and no other, whatever their bounds', () => {
    const quarterHours = fc.uniqueArray(fc.integer({ min: 100, max: 600 }), { minLength: 2, maxLength: 8 })
    const periodOf = (places: readonly number[], minute: number) =>
      places.filter((place) => place <= minute).length - 1
    fc.assert(
      fc.property(quarterHours, (drawn) => {
        const bounds = drawn.toSorted((one, other) => one - other).map((quarter) => quarter * 15)
        const { marks, hours, quarters } = periodsBetween(bounds)
        const ofHours = hours.flatMap((hour) => [0, 15, 30, 45].map((part) => [hour + part, hour] as const))
        const moved = new Map([...ofHours, ...quarters.map((quarter) => [quarter, quarter] as const)])
        expect(hours.filter((hour) => hour % 60 !== 0)).toEqual([])
        expect(moved.size).toEqual(ofHours.length + quarters.length)
        for (let minute = 0; minute < 700 * 15; minute += 15) {
          const begin = moved.get(minute)
          const found = begin === undefined ? periodOf(marks, minute) : periodOf(bounds, begin)
          expect(found).toEqual(periodOf(bounds, minute))
        }
      }),
    )
  })

  it('move an hour at once only where all of it goes to one period', () => {
    const { hours, quarters } = periodsBetween([at('03-01T01:15'), at('03-01T01:45')])
    expect(hours.map(timeOf)).toEqual(['03-01T00:00'])
    expect(quarters.map(timeOf)).toEqual(['03-01T01:00', '03-01T01:15', '03-01T01:30'])
  })
})
