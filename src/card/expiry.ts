import type { Verdict } from './verdict.ts'

/** A card's last month of validity: month 1 to 12, four-digit year. */
export interface Expiry {
  month: number
  year: number
}

const LONGEST_VALIDITY_YEARS = 20
const LATEST_ZONE_MS = 12 * 60 * 60 * 1000

/**
 * Judges an expiry date at a moment (ms since 1970). A card is good to the end of its month wherever its
 * holder is, so the month ends when it has ended in UTC−12; more than 20 years ahead is a slip of the finger.
 */
export function expiryVerdict({ month, year }: Expiry, now: number): Exclude<Verdict, 'incomplete'> {
  if (!Number.isInteger(month) || month < 1 || month > 12) return 'invalid'
  if (Date.UTC(year, month) <= now - LATEST_ZONE_MS) return 'invalid'
  return year > new Date(now).getUTCFullYear() + LONGEST_VALIDITY_YEARS ? 'invalid' : 'valid'
}
