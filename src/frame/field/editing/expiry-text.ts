import type { Expiry } from '../../../card/expiry.ts'
import { asciiDigits } from '../../../card/digits.ts'
import { withSpokenDigits } from './spoken-digits.ts'

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'

/** Ways to write an expiry date, with the named groups `month`, `name` and `year`. */
const FORMATS = [
  /^(?<month>\d{1,2})[^\p{L}\d]+(?<year>\d{2}|\d{4})$/u,
  /^(?<year>\d{4})[^\p{L}\d]+(?<month>\d{1,2})$/u,
  /^(?<month>\d{2})(?<year>\d{2})$/,
  /^(?<year>20\d{2})(?<month>\d{2})$/,
  /^(?<month>\d{2})(?<year>20\d{2})$/,
  /^(?<month>[1-9])(?<year>\d{2}|20\d{2})$/,
  /^(?<name>\p{L}{3,})[^\p{L}\d]*(?<year>\d{2}|\d{4})$/u,
]
/** Digits with gaps between them: a date that was spoken one digit after the other. */
const spacedDigits = /^\d(?:\s*\d)+$/
const wordsInFront = /^[^\d]+/
const signsBehind = /[^\p{L}\d]+$/u

/**
 * Reads an expiry date as people, keyboards and autofill write it: 1/30, 0130, 139, 01/2030, 2030-01, Jan 2030, exp 01/30,
 * "oh one thirty". A two-digit year is in this century; three digits are a month of one digit and a year. A month that does
 * not exist is returned as written. Null for text that is no date, or not yet.
 */
export function parseExpiry(text: string): Expiry | null {
  const plain = withSpokenDigits(asciiDigits(text)).replace(signsBehind, '').trim()
  const expiry = dateIn(plain)
  if (expiry !== null) return expiry
  const date = dateIn(plain.replace(wordsInFront, ''))
  return date !== null && isMonth(date.month) ? date : null
}

/** Formats an expiry date as `MM / YY`. Text that would lose its meaning stays unchanged. */
export function tidyExpiry(text: string): string {
  const expiry = parseExpiry(text)
  if (expiry === null || !isMonth(expiry.month)) return text
  if (Math.floor(expiry.year / 100) !== 20) return text
  return `${String(expiry.month).padStart(2, '0')} / ${String(expiry.year).slice(2)}`
}

function dateIn(plain: string): Expiry | null {
  for (const text of spacedDigits.test(plain) ? [plain, plain.replace(/\s/g, '')] : [plain]) {
    for (const format of FORMATS) {
      const { month, name, year } = format.exec(text)?.groups ?? {}
      if (year !== undefined) return expiryOf(month ?? monthNumber(name ?? ''), year)
    }
  }
  return null
}

const isMonth = (month: number) => month >= 1 && month <= 12

function expiryOf(month: string | number | null, year: string): Expiry | null {
  if (month === null) return null
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) }
}

/** 1 to 12 for an English month's name or its first letters, else null. */
function monthNumber(name: string): number | null {
  const index = MONTHS.indexOf(name.slice(0, 3).toLowerCase())
  return index >= 0 && index % 3 === 0 ? index / 3 + 1 : null
}
