import { describe, expect, it } from 'vitest'
import { termsFaults, termsRequest, termsValues } from './amend-terms-form.tsx'
import type { TermsValues } from './amend-terms-form.tsx'

const fixed = {
  amount_type: 'fixed',
  amount: 49.9,
  maximum_amount: null,
  frequency: 'monthly',
  count_per_period: null,
  point_in_period: 15,
  first_payment: null,
  last_payment: null,
} as const
const before = termsValues({ payment_terms: fixed, end_date: null, max_number_of_payments: null })
const requestFor = (change: Partial<TermsValues>) => termsRequest(before, { ...before, ...change })

describe('the request for new terms', () => {
  it('is none where nothing differs', () => {
    expect(requestFor({})).toBeNull()
    expect(requestFor({ 'payment_terms.amount': '49,90' })).toBeNull()
  })

  it('has all terms where one differs', () => {
    expect(requestFor({ 'payment_terms.amount': '59.9' })).toEqual({
      payment_terms: { amount_type: 'fixed', amount: '59.90', frequency: 'monthly', point_in_period: 15 },
    })
  })

  it('has nothing of a fixed amount where the amount varies', () => {
    const change = { 'payment_terms.amount_type': 'usage', 'payment_terms.maximum_amount': '100' }
    expect(requestFor(change)).toEqual({
      payment_terms: { amount_type: 'usage', maximum_amount: '100.00', frequency: 'monthly' },
    })
  })

  it('has a first and a last payment with day and amount', () => {
    expect(
      requestFor({
        'payment_terms.last_payment.date': '2027-01-31',
        'payment_terms.last_payment.amount': '5',
        end_date: '2027-01-31',
      }),
    ).toMatchObject({
      payment_terms: { last_payment: { date: '2027-01-31', amount: '5.00' } },
      end_date: '2027-01-31',
    })
  })

  it('of an end or a limit alone leaves the terms as they are', () => {
    expect(requestFor({ end_date: '2027-01-31' })).toEqual({ end_date: '2027-01-31' })
    expect(requestFor({ max_number_of_payments: '24' })).toEqual({ max_number_of_payments: 24 })
  })
})

describe('what cannot be sent', () => {
  const faultsOf = (change: Partial<TermsValues>) => {
    const faults = termsFaults({ ...before, ...change })
    return Object.keys(faults).filter((name) => faults[name] !== undefined)
  }

  it('is nothing of an agreement as it is', () => {
    expect(faultsOf({})).toEqual([])
  })

  it.each([
    [{ 'payment_terms.amount': 'much' }, 'payment_terms.amount'],
    [{ 'payment_terms.amount_type': 'variable' }, 'payment_terms.maximum_amount'],
    [{ 'payment_terms.point_in_period': '1.5' }, 'payment_terms.point_in_period'],
    [{ max_number_of_payments: 'many' }, 'max_number_of_payments'],
  ])('%j', (change, name) => {
    expect(faultsOf(change)).toEqual([name])
  })
})
