import { describe, expect, it } from 'vitest'
import type { PaymentTermsResource } from '../../../../contract/api/agreements/agreement-resource.ts'
import { createFormats } from '../../../formats/formats.ts'
import { termsLine, termsWords } from './terms-words.ts'

const formats = createFormats({ locale: 'en-AU', timeZone: 'America/New_York', now: () => 0 })
const none = {
  amount_type: 'fixed',
  amount: 10,
  maximum_amount: null,
  frequency: null,
  count_per_period: null,
  point_in_period: null,
  first_payment: null,
  last_payment: null,
} as const
const recurring = { type: 'recurring', max_number_of_payments: null } as const
const line = (terms: Partial<PaymentTermsResource>, agreement = {}) =>
  termsLine({ ...none, ...terms }, { ...recurring, ...agreement }, formats)

describe('terms in one line', () => {
  it.each([
    [{ frequency: 'daily', point_in_period: 1 }, '$10.00, every day'],
    [{ frequency: 'weekly', point_in_period: 5 }, '$10.00, every week on Friday'],
    [{ frequency: 'monthly', point_in_period: 1 }, '$10.00, every month on the 1st'],
    [{ frequency: 'monthly', point_in_period: 12 }, '$10.00, every month on the 12th'],
    [{ frequency: 'monthly', point_in_period: 23 }, '$10.00, every month on the 23rd'],
    [{ frequency: 'half_yearly', point_in_period: 2 }, '$10.00, every half year on its 2nd day'],
    [{ frequency: 'fortnightly' }, '$10.00, once a fortnight at most'],
    [{ frequency: 'quarterly', count_per_period: 2 }, '$10.00, twice a quarter at most'],
    [{ frequency: 'yearly', count_per_period: 30 }, '$10.00, 30 times a year at most'],
  ] as const)('%j', (terms, words) => {
    expect(line(terms)).toBe(words)
  })

  it.each([
    ['variable', 'Varying, up to $99.50, once a month at most'],
    ['usage', 'By usage, up to $99.50, once a month at most'],
    ['balance', 'The balance owed, up to $99.50, once a month at most'],
  ] as const)('of an amount that is %s', (amount_type, words) => {
    expect(line({ amount_type, amount: null, maximum_amount: 99.5, frequency: 'monthly' })).toBe(words)
  })

  it('of an agreement without a frequency', () => {
    expect(line({}, { type: 'oneoff' })).toBe('$10.00, once')
    expect(line({}, { type: 'adhoc' })).toBe('$10.00, whenever a payment falls due')
    expect(line({}, { type: 'adhoc', max_number_of_payments: 12 })).toBe(
      '$10.00, whenever a payment falls due, 12 payments at most',
    )
  })
})

it('the first and the last payment are on their calendar days, whatever the zone', () => {
  const terms = {
    ...none,
    frequency: 'monthly',
    first_payment: { date: '2026-12-01', amount: 5 },
    last_payment: { date: '2027-11-30', amount: 7.5 },
  } as const
  expect(termsWords(terms, recurring, formats)).toMatchObject({
    first: '$5.00 on 1 Dec 2026',
    last: '$7.50 on 30 Nov 2027',
  })
})

it('says who makes the payments', () => {
  expect(termsWords(none, recurring, formats).who).toBe('Your server sends each payment.')
  const collected = { ...none, frequency: 'monthly', point_in_period: 1 } as const
  expect(termsWords(collected, recurring, formats).who).toBe('The service collects by itself.')
})
