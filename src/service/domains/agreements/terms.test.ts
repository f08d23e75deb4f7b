import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FREQUENCIES, MAX_DAYS } from '../../../contract/api/agreements/payment-terms.ts'
import type { Frequency } from '../../../contract/api/agreements/payment-terms.ts'
import { periodAt } from './calendar.ts'
import { amountsFault, answerFault, daysFault, nextDueDay } from './terms.ts'
import type { Schedule } from './terms.ts'
import { cents, madeTerms } from './testing/made-agreement.ts'
import { someDay } from './testing/some-day.ts'

const on = (date: string) => ({ date, amount: cents('5.00') })
const schedule = (terms: Parameters<typeof madeTerms>[0], dates: Partial<Schedule> = {}): Schedule => ({
  type: 'recurring',
  startDate: '2026-11-10',
  endDate: null,
  terms: madeTerms({ frequency: 'monthly', pointInPeriod: 15, ...terms }),
  ...dates,
})

/** The first of its due days, in order. */
function dueDaysOf(one: Schedule, max = 6): string[] {
  const days: string[] = []
  let day = nextDueDay(one, null)
  while (day !== null && days.length < max) {
    days.push(day)
    day = nextDueDay(one, day)
  }
  return days
}

describe('the days on which the service collects', () => {
  it.each([
    ['on the day of each month', schedule({}), ['2026-11-15', '2026-12-15', '2027-01-15']],
    ['not before the start', schedule({ pointInPeriod: 9 }), ['2026-12-09', '2027-01-09', '2027-02-09']],
    ['on the start itself', schedule({ pointInPeriod: 10 }), ['2026-11-10', '2026-12-10', '2027-01-10']],
    [
      'on the last day of a month that is shorter',
      schedule({ pointInPeriod: 31 }, { startDate: '2028-01-31' }),
      ['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30'],
    ],
    ['each day', schedule({ frequency: 'daily', pointInPeriod: 1 }), ['2026-11-10', '2026-11-11']],
    ['on Fridays', schedule({ frequency: 'weekly', pointInPeriod: 5 }), ['2026-11-13', '2026-11-20']],
    [
      'on every second Tuesday',
      schedule({ frequency: 'fortnightly', pointInPeriod: 9 }),
      ['2026-11-17', '2026-12-01', '2026-12-15'],
    ],
    [
      'on the last day of each quarter, also of the shortest',
      schedule({ frequency: 'quarterly', pointInPeriod: 92 }),
      ['2026-12-31', '2027-03-31', '2027-06-30'],
    ],
    [
      'on the last day of each half year',
      schedule({ frequency: 'half_yearly', pointInPeriod: 184 }),
      ['2026-12-31', '2027-06-30'],
    ],
    [
      'on the 60th day of each year, leap years too',
      schedule({ frequency: 'yearly', pointInPeriod: 60 }),
      ['2027-03-01', '2028-02-29', '2029-03-01'],
    ],
    [
      'first on the day of the first payment, then in each later month',
      schedule({ firstPayment: on('2026-12-20') }),
      ['2026-12-20', '2027-01-15', '2027-02-15'],
    ],
    [
      'on the first payment before the day of its month',
      schedule({ firstPayment: on('2026-11-11') }),
      ['2026-11-11', '2026-12-15'],
    ],
    ['up to the end', schedule({}, { endDate: '2026-12-15' }), ['2026-11-15', '2026-12-15', 'no more']],
    ['not after the end', schedule({}, { endDate: '2026-12-14' }), ['2026-11-15', 'no more']],
    [
      'last on the day of the last payment, in place of the day of its month',
      schedule({ lastPayment: on('2026-12-28') }, { endDate: '2026-12-31' }),
      ['2026-11-15', '2026-12-28', 'no more'],
    ],
    [
      'on the last payment in a month that has no other',
      schedule({ lastPayment: on('2027-01-02') }, { endDate: '2027-01-03' }),
      ['2026-11-15', '2026-12-15', '2027-01-02', 'no more'],
    ],
    [
      'never after the last payment',
      schedule({ pointInPeriod: 1, lastPayment: on('2026-12-30') }, { endDate: '2027-01-03' }),
      ['2026-12-30', 'no more'],
    ],
    [
      'once in a month of both the first and the last payment',
      schedule({ firstPayment: on('2026-11-12'), lastPayment: on('2026-11-20') }, { endDate: '2026-11-22' }),
      ['2026-11-12', 'no more'],
    ],
    [
      'never, when the merchant sends the payments',
      schedule({ pointInPeriod: null, countPerPeriod: 2 }),
      ['no more'],
    ],
    [
      'never in a span without the day',
      schedule({ pointInPeriod: 9 }, { endDate: '2026-12-08' }),
      ['no more'],
    ],
    [
      'until the calendar of four-digit years ends',
      schedule({ frequency: 'weekly', pointInPeriod: 7 }, { startDate: '9999-12-20', endDate: '9999-12-31' }),
      ['9999-12-26', '9999-12-31', 'no more'],
    ],
  ])('%s', (_, one, expected) => {
    const days = [...dueDaysOf(one, expected.length), 'no more'].slice(0, expected.length)
    expect(days).toEqual(expected)
  })

  it('rise, one a period, within the agreement', () => {
    fc.assert(
      fc.property(anySchedule, (one) => {
        const { startDate, endDate, terms } = one
        const days = dueDaysOf(one, 30)
        const periods = days.map((day) => periodAt(terms.frequency ?? 'daily', startDate, day).from)
        expect(new Set(periods).size).toBe(days.length)
        expect(days).toEqual([...days].sort())
        for (const day of days) expect(day >= startDate && day <= (endDate ?? day)).toBe(true)
        if (terms.firstPayment !== null) expect(days[0]).toBe(terms.firstPayment.date)
      }),
    )
  })

  it('the same whatever day is asked from', () => {
    fc.assert(
      fc.property(anySchedule, fc.nat(40), fc.nat(10), (one, place, daysLater) => {
        const days = dueDaysOf(one, 60)
        const from = days[place]
        if (from === undefined) return
        const after = new Date(Date.parse(from) + daysLater * 86_400_000).toISOString().slice(0, from.length)
        const isKnown = days.length < 60 || after < (days.at(-1) ?? '')
        if (isKnown) expect(nextDueDay(one, after)).toBe(days.find((day) => day > after) ?? null)
      }),
    )
  })
})

const anySchedule = fc
  .record({
    frequency: fc.constantFrom<Frequency>(...FREQUENCIES),
    days: fc.uniqueArray(someDay, { minLength: 4, maxLength: 4 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    hasFirst: fc.boolean(),
    hasLast: fc.boolean(),
  })
  .map(({ frequency, days, share, hasFirst, hasLast }): Schedule => {
    const [startDate = '', first = '', last = '', endDate = ''] = [...days].sort()
    return schedule(
      {
        frequency,
        pointInPeriod: 1 + Math.floor(share * (MAX_DAYS[frequency] - 1)),
        firstPayment: hasFirst ? on(first) : null,
        lastPayment: hasLast ? on(last) : null,
      },
      { startDate, endDate },
    )
  })

const DAY_MS = 86_400_000

describe('the days of an agreement', () => {
  it.each([
    ['2026-12-01', null, null, null, null],
    ['2026-12-01', '2026-12-01', null, null, null],
    ['2026-12-01', '2026-11-30', null, null, 'end_date'],
    ['2026-12-01', null, '2026-12-01', null, null],
    ['2026-12-01', null, '2026-11-30', null, 'first_payment'],
    ['2026-12-01', '2026-12-31', '2027-01-01', null, 'first_payment'],
    ['2026-12-01', '2026-12-31', null, '2026-12-24', null],
    ['2026-12-01', '2026-12-31', null, '2026-12-23', '7 days'],
    ['2026-12-01', '2026-12-31', null, '2027-01-01', 'last_payment'],
    ['2026-12-01', '2026-12-31', '2026-12-30', '2026-12-31', null],
    ['2026-12-01', '2026-12-31', '2026-12-31', '2026-12-31', 'not after'],
  ])('from %s to %s, first %s, last %s: %s', (startDate, endDate, first, last, fault) => {
    const terms = madeTerms({
      firstPayment: first === null ? null : on(first),
      lastPayment: last === null ? null : on(last),
    })
    const found = daysFault({ type: 'recurring', startDate, endDate, terms })
    expect(found).toEqual(fault === null ? null : expect.stringContaining(fault))
  })
})

describe('the amounts of terms', () => {
  it.each([
    ['10.00', '10.00', '10.00', null],
    ['10.00', '10.01', '5.00', 'first_payment.amount'],
    ['10.00', '5.00', '10.01', 'last_payment.amount'],
    ['10.00', null, null, null],
    [null, '10.01', '10.01', null],
  ])('at most %s, first %s, last %s: %s', (max, first, last, fault) => {
    const on = (date: string, text: string | null) => (text === null ? null : { date, amount: cents(text) })
    const terms = madeTerms({
      maximumAmount: max === null ? null : cents(max),
      firstPayment: on('2026-12-01', first),
      lastPayment: on('2026-12-31', last),
    })
    const found = amountsFault(terms)
    expect(found).toEqual(fault === null ? null : expect.stringContaining(fault))
  })
})

describe('the time for an answer', () => {
  it.each([
    [-1, 'over'],
    [0, 'over'],
    [1, null],
    [5 * DAY_MS, null],
    [5 * DAY_MS + 1, '5 days'],
  ])('in %i ms: %s', (inMs, fault) => {
    const now = Date.parse('2026-12-01T00:00:00.000Z')
    const found = answerFault(new Date(now + inMs), now)
    expect(found).toEqual(fault === null ? null : expect.stringContaining(fault))
  })
})
