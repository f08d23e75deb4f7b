import { expect, it } from 'vitest'
import { centsOf, decimalOf, typedCents } from './cents.ts'

it('an amount of an answer is exact in cents', () => {
  expect([0.1, 0.29, 19.99, 393.6, 9_999_999.99].map(centsOf)).toEqual([10, 29, 1999, 39_360, 999_999_999])
})

it.each([
  ['10', 1000],
  [' 7.5 ', 750],
  ['7,50', 750],
  ['0.01', 1],
  ['0', null],
  ['-1', null],
  ['1.234', null],
  ['1,000.00', null],
  ['ten', null],
  ['', null],
])('a person types %j: %s cents', (text, cents) => {
  expect(typedCents(text)).toBe(cents)
})

it('the service is sent two decimals', () => {
  expect([1, 750, 1000].map(decimalOf)).toEqual(['0.01', '7.50', '10.00'])
})
