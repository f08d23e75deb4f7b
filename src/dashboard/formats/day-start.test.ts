import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { dayOf, startOfDay } from './day-start.ts'

describe('the beginning of a day', () => {
  it.each([
    ['UTC', '2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['Australia/Sydney', '2026-11-21', '2026-11-20T13:00:00.000Z'],
    ['America/New_York', '2026-11-21', '2026-11-21T05:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-21', '2026-11-20T18:15:00.000Z'],
  ])('in %s', (zone, day, start) => {
    expect(startOfDay(day, zone)).toBe(start)
  })

  it('on the days on which clocks change, before and after', () => {
    expect(startOfDay('2026-10-04', 'Australia/Sydney')).toBe('2026-10-03T14:00:00.000Z')
    expect(startOfDay('2026-10-04', 'Australia/Sydney', 1)).toBe('2026-10-04T13:00:00.000Z')
    expect(startOfDay('2026-04-05', 'Australia/Sydney')).toBe('2026-04-04T13:00:00.000Z')
    expect(startOfDay('2026-04-05', 'Australia/Sydney', 1)).toBe('2026-04-05T14:00:00.000Z')
    expect(startOfDay('2026-03-08', 'America/New_York')).toBe('2026-03-08T05:00:00.000Z')
    expect(startOfDay('2026-03-08', 'America/New_York', 1)).toBe('2026-03-09T04:00:00.000Z')
  })
})

/** When clocks of a zone jump over midnight, its day begins with the first moment that has its date. */
it.each([
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
  ['Atlantic/Azores', '2026-03-29', '2026-03-29T01:00:00.000Z'],
  ['America/Scoresbysund', '2024-03-31', '2024-03-31T01:00:00.000Z'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
  ['America/Toronto', '1919-03-31', '1919-03-31T04:30:00.000Z'],
])('in %s the day %s begins at %s, as no clock shows its midnight', (zone, day, start) => {
  expect(startOfDay(day, zone)).toBe(start)
})

it(
  'in every zone the days around a change of its clocks begin with their first moment',
  { timeout: 60_000 },
  () => {
    const wrong = Intl.supportedValuesOf('timeZone').flatMap((zone) =>
      daysAroundChanges(zone)
        .filter((day) => startOfDay(day.toString(), zone) !== firstMomentOf(day, zone))
        .map((day) => `${zone} ${day.toString()}`),
    )
    expect(wrong).toEqual([])
  },
)

/** The day of each change of a zone's clocks from 2024 to 2028, and the days beside it. */
function daysAroundChanges(zone: string): Temporal.PlainDate[] {
  const days: Temporal.PlainDate[] = []
  let at = Temporal.ZonedDateTime.from(`2024-01-01[${zone}]`).getTimeZoneTransition('next')
  while (at !== null && at.year <= 2028) {
    const day = at.toPlainDate()
    days.push(day.subtract({ days: 1 }), day, day.add({ days: 1 }))
    at = at.getTimeZoneTransition('next')
  }
  return days
}

function firstMomentOf(day: Temporal.PlainDate, zone: string): string {
  return new Date(day.toZonedDateTime(zone).epochMilliseconds).toISOString()
}

it.each(['2026-13-01', '2026-02-30', '2026-11-21T00:00', 'yesterday', ''])('%j is no day', (text) => {
  expect(startOfDay(text, 'UTC')).toBeNull()
})

it('the last day that an address can say has no day after it', () => {
  expect(startOfDay('9999-12-31', 'America/New_York')).toBe('9999-12-31T05:00:00.000Z')
  expect(startOfDay('9999-12-31', 'America/New_York', 1)).toBeNull()
})

it('the day of a moment is that of the zone', () => {
  const moment = Date.parse('2026-11-20T13:30:00Z')
  expect(['UTC', 'Australia/Sydney'].map((zone) => dayOf(moment, zone))).toEqual(['2026-11-20', '2026-11-21'])
})
