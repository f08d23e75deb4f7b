import type { Expiry } from '../../../card/expiry.ts'
import { asciiDigits } from './digits.ts'

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'

/** Ways to write an expiry date, with the named groups `month`, `name` and `year`. */
const FORMATS = [
  /^(?<month>\d{1,2})[^\p{L}\d]+(?<year>\d{2}|\d{4})$/u,
  /^(?<year>\d{4})[^\p{L}\d]+(?<month>\d{1,2})$/u,
  /^(?<month>\d{2})(?<year>\d{2})$/,
  /^(?<year>20\d{2})(?<month>\d{2})$/,
  /^(?<month>\d{2})(?<year>20\d{2})$/,
  /^(?<month>[2-9])(?<year>\d{2}|20\d{2})$/,
  /^(?<name>\p{L}{3,})[^\p{L}\d]*(?<year>\d{2}|\d{4})$/u,
]

/**
 * Parses an expiry date as people and autofill write it: 1/30, 0130, 530, 01/2030, 2030-01, Jan 2030. A two-digit year is in
 * this century; a first digit from 2 to 9 is a month by itself. A month that does not exist is returned as written. Returns
 * null for text that is no date, or not yet.
 */
export function parseExpiry(text: string): Expiry | null {
  const plain = asciiDigits(text).trim()
  for (const format of FORMATS) {
    const { month, name, year } = format.exec(plain)?.groups ?? {}
    if (year !== undefined) return expiryOf(month ?? monthNumber(name ?? ''), year)
  }
  return null
}

/** Formats an expiry date as `MM / YY`. Text that would lose its meaning stays unchanged. */
export function tidyExpiry(text: string): string {
  const expiry = parseExpiry(text)
  if (expiry === null || expiry.month < 1 || expiry.month > 12) return text
  if (Math.floor(expiry.year / 100) !== 20) return text
  return `${String(expiry.month).padStart(2, '0')} / ${String(expiry.year).slice(2)}`
}

function expiryOf(month: string | number | null, year: string): Expiry | null {
  if (month === null) return null
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) }
}

/** 1 to 12 for an English month's name or its first letters, else null. */
function monthNumber(name: string): number | null {
  const index = MONTHS.indexOf(name.slice(0, 3).toLowerCase())
  return index >= 0 && index % 3 === 0 ? index / 3 + 1 : null
}
