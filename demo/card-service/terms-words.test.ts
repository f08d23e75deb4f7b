import { expect, it } from 'vitest'
import { termsInWords } from './terms-words.ts'

const terms = {
  amount_type: 'fixed',
  amount: 2_500,
  maximum_amount: null,
  frequency: 'monthly',
  count_per_period: null,
  point_in_period: null,
  first_payment: null,
  last_payment: null,
}

it.each([
  [{ point_in_period: 1 }, 'Once every month, on the 1st'],
  [{ point_in_period: 22 }, 'Once every month, on the 22nd'],
  [{ point_in_period: 13 }, 'Once every month, on the 13th'],
  [{ point_in_period: 7, frequency: 'weekly' }, 'Once every week, on Sunday'],
  [
    { point_in_period: 10, frequency: 'fortnightly' },
    'Once every fortnight, on the 10th day of the fortnight',
  ],
  [{ point_in_period: 1, frequency: 'daily' }, 'Once every day'],
  [{}, 'Once a month at most'],
  [{ count_per_period: 2 }, 'Twice a month at most'],
  [{ count_per_period: 3, frequency: 'half_yearly' }, '3 times a half year at most'],
])('%j is said as: %s', (change, words) => {
  expect(termsInWords({ ...terms, ...change }, 'recurring').often).toBe(words)
})

it.each([
  ['oneoff', null, 'Once'],
  ['adhoc', null, 'Whenever a payment falls due'],
  ['adhoc', 12, 'Whenever a payment falls due, 12 times at most'],
])('of the type %s with %s payments is said as: %s', (type, max, words) => {
  expect(termsInWords({ ...terms, frequency: null }, type, max).often).toBe(words)
})

it('names the most that can be paid where the amount is not fixed', () => {
  const variable = { ...terms, amount_type: 'variable', amount: null, maximum_amount: 12_050 }
  expect(termsInWords(variable, 'recurring').amount).toBe(
    'It changes from time to time: never more than A$120.50',
  )
})

it('names a first and a last payment of their own', () => {
  const own = { ...terms, first_payment: { date: '2026-11-22', amount: 500 } }
  expect(termsInWords(own, 'recurring')).toMatchObject({
    first: 'A$5.00 on Sunday 22 November 2026',
    last: null,
  })
})
