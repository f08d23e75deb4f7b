import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { periodsOf, usualDays } from './domain.ts'

const bounds = (from: string, to: string, zone: string, step?: 'hour' | 'day') =>
  periodsOf({ from, to, time_zone: zone, step }).bounds.map((bound) => bound.toISOString().slice(0, 16))

describe('days', () => {
  it.each([
    ['UTC', ['2026-03-01T00:00', '2026-03-02T00:00']],
    ['Australia/Adelaide', ['2026-02-28T13:30', '2026-03-01T13:30']],
    ['Asia/Kathmandu', ['2026-02-28T18:15', '2026-03-01T18:15']],
    ['America/St_Johns', ['2026-03-01T03:30', '2026-03-02T03:30']],
  ])('of %s begin when its clocks say so', (zone, expected) => {
    expect(bounds('2026-03-01', '2026-03-01', zone, 'day')).toEqual(expected)
  })

  it('follow daylight saving, to the half hour of Lord Howe', () => {
    expect(bounds('2026-04-05', '2026-04-06', 'Australia/Sydney', 'day')).toEqual([
      '2026-04-04T13:00',
      '2026-04-05T14:00',
      '2026-04-06T14:00',
    ])
    expect(bounds('2026-04-05', '2026-04-05', 'Australia/Lord_Howe', 'day')).toEqual([
      '2026-04-04T13:00',
      '2026-04-05T13:30',
    ])
  })
})

/** The same, told by the calendar for each day alone. */
const startsByCalendar = (from: string, days: number, zone: string) =>
  Array.from(
    { length: days + 1 },
    (_, day) => Temporal.PlainDate.from(from).add({ days: day }).toZonedDateTime(zone).epochMilliseconds,
  )

it.each([
  ['UTC', 'whose clocks never change'],
  ['Australia/Sydney', 'where summer begins in October'],
  ['Australia/Lord_Howe', 'where summer is half an hour'],
  ['America/Sao_Paulo', 'where days of summer began at one'],
  ['Africa/Cairo', 'where summer begins and ends at midnight'],
  ['America/Havana', 'where midnight comes twice'],
  ['Africa/Casablanca', 'where clocks change around Ramadan'],
  ['Pacific/Apia', 'that left out the 30th of December 2011'],
  ['Asia/Pyongyang', 'that was half an hour behind for three years'],
])('days of %s, %s, begin when the calendar says so', (zone) => {
  for (const from of ['2010-04-01', '2011-03-01', '2015-01-01', '2017-08-01', '2018-05-05', '2026-03-01']) {
    const to = Temporal.PlainDate.from(from).add({ days: 365 }).toString()
    const { bounds } = periodsOf({ from, to, time_zone: zone, step: 'day' })
    expect(bounds.map((bound) => bound.getTime())).toEqual(startsByCalendar(from, 366, zone))
  }
})

describe('hours', () => {
  it.each([
    ['an ordinary day', '2026-03-01', 'Australia/Adelaide', 24],
    ['the day on which clocks go back', '2026-04-05', 'Australia/Adelaide', 25],
    ['the day on which they go forward', '2026-10-04', 'Australia/Adelaide', 23],
    ['a day of 24 and a half', '2026-04-05', 'Australia/Lord_Howe', 25],
  ])('of %s', (_, day, zone, hours) => {
    const found = bounds(day, day, zone)
    expect(found).toHaveLength(hours + 1)
    expect(found).toEqual([...new Set(found)].sort())
  })
})

it.each([
  [1, undefined, 'hour'],
  [2, undefined, 'hour'],
  [3, undefined, 'day'],
  [1, 'day', 'day'],
  [7, 'hour', 'hour'],
] as const)('%s days, asked for by %s, are cut by the %s', (days, asked, step) => {
  const to = `2026-03-${String(days).padStart(2, '0')}`
  expect(periodsOf({ from: '2026-03-01', to, time_zone: 'UTC', step: asked }).step).toBe(step)
})

it.each([
  ['2026-03-02', '2026-03-01', undefined],
  ['2026-03-01', '2026-03-08', 'hour'],
  ['2026-03-01', '2027-03-02', undefined],
] as const)('from %s to %s by %s is refused', (from, to, step) => {
  expect(() => periodsOf({ from, to, time_zone: 'UTC', step })).toThrow(
    expect.objectContaining({ code: 'validation_error' }),
  )
})

it('the usual days are the last 30 of the zone, today among them', () => {
  const lateInSydney = Date.parse('2026-03-10T13:30:00Z')
  expect(usualDays(lateInSydney, 'UTC')).toEqual({ from: '2026-02-09', to: '2026-03-10', time_zone: 'UTC' })
  expect(usualDays(lateInSydney, 'Australia/Sydney')).toMatchObject({ from: '2026-02-10', to: '2026-03-11' })
})
