import { expect, it } from 'vitest'
import { timeWriter } from './zoned-time.ts'

it.each([
  ['UTC', '2026-11-22T00:01:05.007Z', '2026-11-22T00:01:05.007+00:00'],
  ['Australia/Adelaide', '2026-11-22T00:01:05.000Z', '2026-11-22T10:31:05.000+10:30'],
  ['Australia/Adelaide', '2026-06-22T00:01:05.000Z', '2026-06-22T09:31:05.000+09:30'],
  ['Asia/Kathmandu', '2026-06-22T20:00:00.000Z', '2026-06-23T01:45:00.000+05:45'],
  ['America/St_Johns', '2026-01-01T00:00:00.000Z', '2025-12-31T20:30:00.000-03:30'],
])('in %s %s is %s', (zone, time, written) => {
  expect(timeWriter(zone)(new Date(time))).toBe(written)
})

it('one writer follows the zone over its change of offset', () => {
  const write = timeWriter('Australia/Lord_Howe')
  expect(['2026-04-04T14:59:59Z', '2026-04-04T15:00:00Z'].map((time) => write(new Date(time)))).toEqual([
    '2026-04-05T01:59:59.000+11:00',
    '2026-04-05T01:30:00.000+10:30',
  ])
})
