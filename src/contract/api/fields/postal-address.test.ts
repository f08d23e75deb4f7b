import * as v from 'valibot'
import { expect, it } from 'vitest'
import { PostalAddress, withFormNames } from './postal-address.ts'

it.each([
  [
    { address_line1: '1 High St', address_city: 'Perth' },
    { address_line1: '1 High St', city: 'Perth' },
  ],
  [
    { city: 'Perth', state: 'WA', address_postcode: '6000', address_country: 'AU' },
    { city: 'Perth', state: 'WA', postcode: '6000', country: 'AU' },
  ],
  [{ address_state: 'WA', state: 'WA' }, { state: 'WA' }],
  [{}, {}],
])('%j is read as %j', (given, parsed) => {
  expect(v.parse(PostalAddress, given)).toEqual(parsed)
})

it.each([
  [{ city: 'Perth', address_city: 'Sydney' }, /two names/],
  [{ postcode: '6000', address_postcode: '2000' }, /two names/],
  [{ suburb: 'Perth' }, /suburb/],
])('%j is refused', (given, words) => {
  expect(() => v.parse(PostalAddress, given)).toThrow(words)
})

it('card forms have names of their own', () => {
  expect(withFormNames({ city: 'Perth', address_state: 'WA', note: 'x' })).toEqual({
    address_city: 'Perth',
    address_state: 'WA',
    note: 'x',
  })
})
