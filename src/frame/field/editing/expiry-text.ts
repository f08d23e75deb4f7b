import type { Expiry } from '../../../card/expiry.ts'
import { asciiDigits } from './digits.ts'

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'

/** One written form of an expiry date; the groups are named `month`, `name` and `year`. */
const FORMS = [
  /^(?<month>\d{1,2})[^\p{L}\d]+(?<year>\d{2}|\d{4})$/u,
  /^(?<year>\d{4})[^\p{L}\d]+(?<month>\d{1,2})$/u,
  /^(?<month>\d{2})(?<year>\d{2})$/,
  /^(?<year>20\d{2})(?<month>\d{2})$/,
  /^(?<month>\d{2})(?<year>20\d{2})$/,
  /^(?<month>[2-9])(?<year>\d{2}|20\d{2})$/,
  /^(?<name>\p{L}{3,})[^\p{L}\d]*(?<year>\d{2}|\d{4})$/u,
]

/**
 * Reads an expiry date in the ways people and autofill write one: 1/30, 0130, 530, 01/2030, 2030-01, Jan 2030. Two digits
 * of a year mean this century, and a first digit that begins no month is one. A month that doesn't exist comes out as it
 * is written; null is no date at all, or not yet.
 */
export function parseExpiry(text: string): Expiry | null {
  const plain = asciiDigits(text).trim()
  for (const form of FORMS) {
    const { month, name, year } = form.exec(plain)?.groups ?? {}
    if (year !== undefined) return expiryOf(month ?? monthNumber(name ?? ''), year)
  }
  return null
}

/** An expiry date as the form shows it, `MM / YY`; what can't be shown so without changing it stays as it is written. */
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

/** 1 to 12 for an English month's name or its beginning, else null. */
function monthNumber(name: string): number | null {
  const place = MONTHS.indexOf(name.slice(0, 3).toLowerCase())
  return place >= 0 && place % 3 === 0 ? place / 3 + 1 : null
}
