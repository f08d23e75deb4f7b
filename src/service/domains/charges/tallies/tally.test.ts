import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { periodsBetween, SPANS_MINUTES, stretchesOf } from './tally.ts'

const at = (text: string) => Date.parse(`2026-${text}:00Z`) / 60_000
const timeOf = (minute: number) => new Date(minute * 60_000).toISOString().slice(5, 16)
const shown = (from: string, to: string) =>
  stretchesOf(at(from), at(to), SPANS_MINUTES).map((stretch) => [
    stretch.spanMinutes,
    timeOf(stretch.fromMinute),
    timeOf(stretch.toMinute),
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

it('whatever the time, its stretches follow one another from its beginning to its end, on the bounds of their spans', () => {
  const quarter = fc.integer({ min: 0, max: 4000 }).map((count) => count * 15)
  fc.assert(
    fc.property(quarter, quarter, (one, other) => {
      const [from, to] = one < other ? [one, other] : [other, one]
      let end = from
      for (const { spanMinutes, fromMinute, toMinute } of stretchesOf(from, to, SPANS_MINUTES)) {
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
    ['a day of UTC', ['03-01T00:00', '03-02T00:00'], ['03-01T00:00', '03-02T00:00'], []],
    [
      'two days in Sydney',
      ['02-28T13:00', '03-01T13:00', '03-02T13:00'],
      ['02-28T12:00', '03-01T12:00', '03-02T12:00'],
      [
        [60, '02-28T12:00', '02-28T13:00', null, 0],
        [60, '03-01T12:00', '03-01T13:00', 0, 1],
        [60, '03-02T12:00', '03-02T13:00', 1, null],
      ],
    ],
    [
      'the day on which summer ends in Sydney',
      ['04-04T13:00', '04-05T14:00'],
      ['04-04T12:00', '04-05T12:00'],
      [
        [60, '04-04T12:00', '04-04T13:00', null, 0],
        [60, '04-05T12:00', '04-05T14:00', 0, null],
      ],
    ],
    [
      'a day in Berlin, which begins before its mark',
      ['02-28T23:00', '03-01T23:00'],
      ['03-01T00:00', '03-02T00:00'],
      [
        [60, '02-28T23:00', '03-01T00:00', 0, null],
        [60, '03-01T23:00', '03-02T00:00', null, 0],
      ],
    ],
    [
      'a day in Kathmandu',
      ['02-28T18:15', '03-01T18:15'],
      ['02-28T18:00', '03-01T18:00'],
      [
        [15, '02-28T18:00', '02-28T18:15', null, 0],
        [15, '03-01T18:00', '03-01T18:15', 0, null],
      ],
    ],
    [
      'two hours in Adelaide, of which one has no time between its marks',
      ['03-01T07:30', '03-01T08:30', '03-01T09:30'],
      ['03-01T06:00', '03-01T06:00', '03-01T12:00'],
      [
        [60, '03-01T06:00', '03-01T07:00', null, 0],
        [15, '03-01T07:00', '03-01T07:30', null, 0],
        [60, '03-01T06:00', '03-01T08:00', 0, 1],
        [15, '03-01T08:00', '03-01T08:30', 0, 1],
        [15, '03-01T09:30', '03-01T10:00', null, 1],
        [60, '03-01T10:00', '03-01T12:00', null, 1],
      ],
    ],
  ])(
    'of %s have these marks, and what is added to a period and taken from one',
    (_, bounds, marks, expected) => {
      const found = periodsBetween(bounds.map(at))
      expect(found.marks.map(timeOf)).toEqual(marks)
      expect(
        found.corrections.map(({ spanMinutes, fromMinute, toMinute, addedTo, takenFrom }) => [
          spanMinutes,
          timeOf(fromMinute),
          timeOf(toMinute),
          addedTo,
          takenFrom,
        ]),
      ).toEqual(expected)
    },
  )

  it('have each quarter hour of their time once, and no other, whatever their bounds', () => {
    const quarters = fc.uniqueArray(fc.integer({ min: 100, max: 600 }), { minLength: 2, maxLength: 8 })
    fc.assert(
      fc.property(quarters, (drawn) => {
        const bounds = drawn.toSorted((one, other) => one - other)
        const counted = new Map<string, number>()
        const count = (period: number | null, fromMinute: number, toMinute: number, by: number) => {
          for (let quarter = fromMinute / 15; quarter < toMinute / 15 && period !== null; quarter += 1) {
            const key = `${String(period)}: ${String(quarter)}`
            counted.set(key, (counted.get(key) ?? 0) + by)
          }
        }
        const { marks, corrections } = periodsBetween(bounds.map((quarter) => quarter * 15))
        for (const [period, mark] of marks.entries()) count(period, mark, marks[period + 1] ?? mark, 1)
        for (const { fromMinute, toMinute, addedTo, takenFrom } of corrections) {
          count(addedTo, fromMinute, toMinute, 1)
          count(takenFrom, fromMinute, toMinute, -1)
        }
        const found = [...counted].filter(([, times]) => times !== 0)
        const expected = bounds.slice(0, -1).flatMap((from, period) => {
          const quarterCount = (bounds[period + 1] ?? from) - from
          return Array.from({ length: quarterCount }, (_, n) => [`${String(period)}: ${String(from + n)}`, 1])
        })
        expect(found.toSorted()).toEqual(expected.toSorted())
      }),
    )
  })
})
