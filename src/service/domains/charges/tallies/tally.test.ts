import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { periodsBetween, SPANS_MINUTES, stretchesOf } from './tally.ts'

const at = (text: string) => Date.parse(`2026-${text}:00Z`) / 60_000
const timeOf = (minute: number) => new Date(minute * 60_000).toISOString().slice(5, 16)
const shown = (from: string, to: string) =>
  stretchesOf(at(from), at(to)).map((stretch) => [
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
      for (const { spanMinutes, fromMinute, toMinute } of stretchesOf(from, to)) {
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
