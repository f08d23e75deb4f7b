import { describe, expect, it } from 'vitest'
import { asciiDigits, digitsOf } from './digits.ts'

describe('digits of any script', () => {
  it.each([
    ['４２４２', '4242'],
    ['٤٢٤٢', '4242'],
    ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
    ['०१२३४५६७८९', '0123456789'],
    ['𝟎𝟗𝟘𝟡𝟶𝟿', '090909'],
    ['0123456789', '0123456789'],
  ])('%s are %s', (typed, ascii) => {
    expect(asciiDigits(typed)).toBe(ascii)
  })

  it('leave letters and signs as they are', () => {
    expect(asciiDigits('Jan ２０３０ ½')).toBe('Jan 2030 ½')
  })

  it.each([
    ['Card no: 4242 4242-4242\u00a04242.', '4242424242424242'],
    ['4242\n4242', '42424242'],
    ['no digits', ''],
  ])('are picked out of %j', (text, digits) => {
    expect(digitsOf(text)).toBe(digits)
  })
})
