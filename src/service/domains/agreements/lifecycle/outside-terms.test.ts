import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { Amount } from '../../../../contract/api/fields/amount.ts'
import { madeTerms } from '../testing/made-agreement.ts'
import { amountsFault, answerFault, daysFault } from './outside-terms.ts'

const amount = v.parse(Amount, '5.00')
const on = (date: string) => ({ date, amount })
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
    const found = daysFault({ startDate, endDate, terms })
    expect(found).toEqual(fault === null ? null : expect.stringContaining(fault))
  })
})

describe('the amounts of terms', () => {
  const cents = (text: string) => v.parse(Amount, text)
  it.each([
    ['10.00', '10.00', '10.00', null],
    ['10.00', '10.01', '5.00', 'first_payment.amount'],
    ['10.00', '5.00', '10.01', 'last_payment.amount'],
    ['10.00', null, null, null],
    [null, '10.01', '10.01', null],
  ])('at most %s, first %s, last %s: %s', (max, first, last, fault) => {
    const on = (date: string, text: string | null) => (text === null ? null : { date, amount: cents(text) })
    const found = amountsFault({
      maximumAmount: max === null ? null : cents(max),
      firstPayment: on('2026-12-01', first),
      lastPayment: on('2026-12-31', last),
    })
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
