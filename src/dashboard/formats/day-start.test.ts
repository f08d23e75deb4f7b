import { describe, expect, it } from 'vitest'
import { startOfDay } from './day-start.ts'

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

it.each(['2026-13-01', '2026-02-30', '2026-11-21T00:00', 'yesterday', ''])('%j is no day', (text) => {
  expect(startOfDay(text, 'UTC')).toBeNull()
})
