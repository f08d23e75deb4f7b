import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FREQUENCIES, MAX_DAYS } from '../../../contract/api/agreements/payment-terms.ts'
import { addDays, dayOfPeriod, periodAt } from './calendar.ts'
import { someDay } from './testing/some-day.ts'

describe('the period that a day is in', () => {
  it.each([
    ['daily', '2026-11-22', '2026-11-22', '2026-11-22'],
    ['weekly', '2026-11-22', '2026-11-16', '2026-11-22'],
    ['weekly', '2026-11-23', '2026-11-23', '2026-11-29'],
    ['weekly', '2027-01-01', '2026-12-28', '2027-01-03'],
    ['fortnightly', '2026-11-04', '2026-11-02', '2026-11-15'],
    ['fortnightly', '2026-11-15', '2026-11-02', '2026-11-15'],
    ['fortnightly', '2026-11-16', '2026-11-16', '2026-11-29'],
    ['fortnightly', '2026-11-01', '2026-10-19', '2026-11-01'],
    ['monthly', '2028-02-29', '2028-02-01', '2028-02-29'],
    ['monthly', '2026-12-31', '2026-12-01', '2026-12-31'],
    ['quarterly', '2026-02-28', '2026-01-01', '2026-03-31'],
    ['quarterly', '2026-12-01', '2026-10-01', '2026-12-31'],
    ['half_yearly', '2026-06-30', '2026-01-01', '2026-06-30'],
    ['half_yearly', '2026-07-01', '2026-07-01', '2026-12-31'],
    ['yearly', '2028-02-29', '2028-01-01', '2028-12-31'],
    ['yearly', '9999-12-31', '9999-01-01', '9999-12-31'],
    ['weekly', '9999-12-31', '9999-12-27', '9999-12-31'],
  ] as const)('%s: %s is in %s to %s if the start is a Wednesday', (frequency, day, from, to) => {
    expect(periodAt(frequency, '2026-11-04', day)).toEqual({ from, to })
  })

  it.each(FREQUENCIES)('%s: periods leave no gap, and none is too long', (frequency) => {
    fc.assert(
      fc.property(someDay, someDay, (startDate, day) => {
        const period = periodAt(frequency, startDate, day)
        expect(period.from <= day && day <= period.to).toBe(true)
        expect(periodAt(frequency, startDate, period.from)).toEqual(period)
        expect(periodAt(frequency, startDate, period.to)).toEqual(period)
        expect(periodAt(frequency, startDate, addDays(period.to, 1)).from).toBe(addDays(period.to, 1))
        expect(dayOfPeriod(period, MAX_DAYS[frequency])).toBe(period.to)
      }),
    )
  })

  it('tiles every day of a century that has leap years', () => {
    for (let day = '2026-01-01'; day < '2126-01-01'; day = addDays(periodAt('monthly', day, day).to, 1)) {
      expect(day).toMatch(/-01$/)
    }
  })
})

it.each([
  [1, '2027-02-01'],
  [28, '2027-02-28'],
  [31, '2027-02-28'],
])('the %ith day of February 2027 is %s', (point, day) => {
  expect(dayOfPeriod({ from: '2027-02-01', to: '2027-02-28' }, point)).toBe(day)
})
