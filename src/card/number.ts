import validator from 'card-validator'
import { passesLuhn } from './digits.ts'
import { isIssuedElsewhere, LONGEST_NUMBER, schemeOf } from './scheme.ts'
import type { Verdict } from './verdict.ts'

/** The shortest number that any scheme issues: Maestro's. */
export const SHORTEST_NUMBER = 12

/** Judges the digits of a card number: known range, length of its scheme, Luhn check (ISO/IEC 7812-1). */
export function numberVerdict(digits: string): Verdict {
  if (isIssuedElsewhere(digits)) return 'invalid'
  const { isValid, isPotentiallyValid } = validator.number(digits, {
    maxLength: LONGEST_NUMBER,
    luhnValidateUnionPay: true,
  })
  if (isValid) return 'valid'
  return isPotentiallyValid ? 'incomplete' : 'invalid'
}

/**
 * Whether digits are the number of a card that exists but is taken nowhere here: those of a network known to be so, and whole
 * numbers in no known range whose check digit is right. None begins with 0.
 */
export function isOfOtherNetwork(digits: string): boolean {
  if (isIssuedElsewhere(digits)) return true
  return (
    schemeOf(digits) === null &&
    !digits.startsWith('0') &&
    digits.length >= SHORTEST_NUMBER &&
    digits.length <= LONGEST_NUMBER &&
    passesLuhn(digits)
  )
}

/** The last four digits, which may be shown; '' while the number is too short to hide the rest. */
export function lastFourOf(digits: string): string {
  return digits.length >= SHORTEST_NUMBER ? digits.slice(-4) : ''
}

/**
 * The leading digits that name the issuer: 8 on numbers of 16 digits and more, 6 on shorter ones, so that
 * leading and last digits together never show more than PCI DSS 3.4.1 allows.
 */
export function binOf(digits: string): string {
  return digits.slice(0, digits.length >= 16 ? 8 : 6)
}
