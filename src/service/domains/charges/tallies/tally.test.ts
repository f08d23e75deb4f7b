import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SPANS_MINUTES, stretchesOf } from './tally.ts'

const at = (text: string) => new Date(`2026-${text}:00Z`)
const shown = (from: string, to: string) =>
  stretchesOf(at(from), at(to)).map((stretch) => [
    stretch.spanMinutes,
    stretch.from.toISOString().slice(5, 16),
    stretch.to.toISOString().slice(5, 16),
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
  const quarter = fc.integer({ min: 0, max: 4000 }).map((count) => new Date(count * 900_000))
  fc.assert(
    fc.property(quarter, quarter, (one, other) => {
      const [from, to] = one < other ? [one, other] : [other, one]
      let end = from
      for (const stretch of stretchesOf(from, to)) {
        const ms = stretch.spanMinutes * 60_000
        expect([stretch.from.getTime() % ms, stretch.to.getTime() % ms]).toEqual([0, 0])
        expect([stretch.from, stretch.to > stretch.from]).toEqual([end, true])
        expect(SPANS_MINUTES).toContain(stretch.spanMinutes)
        end = stretch.to
      }
      expect(end).toEqual(to)
    }),
  )
})
