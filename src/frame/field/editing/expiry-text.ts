import type { Expiry } from '../../../card/expiry.ts'
import { asciiDigits, digitsOf } from '../../../card/digits.ts'
import { LANGUAGES } from '../../../contract/page/widget-appearance.ts'
import { inPlainLetters, withSpokenDigits } from './spoken-digits.ts'

/** Whole texts that are an expiry date, with the named groups `month` and `year`. */
const FORMATS = [
  /^(?<month>\d{1,2})[^\p{L}\d]+(?<year>\d{2}|\d{4})$/u,
  /^(?<year>\d{4})[^\p{L}\d]+(?<month>\d{1,2})$/u,
  /^(?<month>\d{2})(?<year>\d{2})$/,
  /^(?<year>20\d{2})(?<month>\d{2})$/,
  /^(?<month>\d{2})(?<year>20\d{2})$/,
  /^(?<month>[1-9])(?<year>\d{2}|20\d{2})$/,
]
/** A day, month and year without anything between; the month may stand before its day. */
const FULL_DATES = [
  /^(?<day>\d\d)(?<month>\d\d)(?<year>20\d\d)$/,
  /^(?<year>20\d\d)(?<month>\d\d)(?<day>\d\d)$/,
]
/** Digits with gaps between them: a date that was spoken one digit after the other. */
const spacedDigits = /^\d(?:\s*\d)+$/
const wordsInFront = /^[^\d]+/
const signsAround = /^[^\p{L}\d]+|[^\p{L}\d]+$/gu

/**
 * Reads an expiry date as people, keyboards and autofill write it: 1/30, 0130, 139, 01/2030, 2030-01, 31/01/2030, Jan 2030 and
 * déc. 2030, 2030年1月, exp 01/30, "oh one thirty". A two-digit year is in this century; three digits are a month of one digit and
 * a year; of several dates, as in "from 01/25 to 01/30", the last counts. A month that does not exist is returned as written.
 * Null for text that is no date, or not yet.
 */
export function parseExpiry(text: string): Expiry | null {
  const plain = withSpokenDigits(asciiDigits(text)).replace(signsAround, '')
  const expiry = dateIn(plain) ?? fullDateIn(plain) ?? lastDateOf(plain)
  if (expiry !== null) return { month: expiry.month, year: expiry.year }
  const date = dateIn(plain.replace(wordsInFront, ''))
  return date !== null && isMonth(date.month) ? date : null
}

/** Formats an expiry date as `MM / YY`. Text that would lose its meaning stays unchanged. */
export function tidyExpiry(text: string): string {
  const expiry = parseExpiry(text)
  if (expiry === null || !isMonth(expiry.month)) return text
  return Math.floor(expiry.year / 100) === 20 ? shownExpiry(expiry) : text
}

/** A date of this century as `MM / YY`. */
export function shownExpiry({ month, year }: Expiry): string {
  return `${String(month).padStart(2, '0')} / ${String(year).slice(2)}`
}

function dateIn(plain: string): Expiry | null {
  for (const text of spacedDigits.test(plain) ? [plain, plain.replace(/\s/g, '')] : [plain]) {
    for (const format of FORMATS) {
      const { month, year } = format.exec(text)?.groups ?? {}
      if (month !== undefined && year !== undefined) return { month: Number(month), year: yearOf(year) }
    }
  }
  return null
}

/** A text whose digits are those of the last day of a month, whatever stands between them. */
function fullDateIn(plain: string): Expiry | null {
  const digits = /\p{L}/u.test(plain) ? '' : digitsOf(plain)
  const groups = FULL_DATES.map((form) => form.exec(digits)?.groups).find((found) => found !== undefined)
  return groups === undefined ? null : dateOf(groups)
}

/** The last of the dates that a text consists of; null if it has other digits, too, as none may be dropped unseen. */
function lastDateOf(plain: string): Expiry | null {
  // Half a date, as it stands in the field while a person types: no date has less, unless it names its month.
  if (!/\p{L}/u.test(plain) && digitsOf(plain).length < 4) return null
  const { dates, rest } = datesIn(plain)
  return /\d/.test(rest) ? null : latestOf(dates.filter(({ isDoubtful }) => !isDoubtful))
}

/** The latest of some dates, null without one. */
export function latestOf(dates: readonly FoundDate[]): FoundDate | null {
  const places = dates.map(({ month, year }) => year * 12 + month)
  return dates[places.indexOf(Math.max(...places))] ?? null
}

/** A date that stands in a text. */
export interface FoundDate extends Expiry {
  /** Where it begins and ends. */
  start: number
  end: number
  /** Whether what stands there could be something else, such as a part of an account's number. */
  isDoubtful: boolean
}

const named = '(?<name>[\\p{L}\\p{M}]{2,})[.॰]?'
const gap = '[^\\p{L}\\p{M}\\d]{1,3}'
const noGap = '[^\\p{L}\\p{M}\\d]{0,3}'
const sign = '\\s?[^\\p{L}\\p{M}\\d\\s]\\s?'
const century = '(?<year>20\\d{2})'
const anyYear = '(?<year>(?:20 ?)?\\d{2})'
const month = '(?<month>\\d{1,2})'
/** With both cases spelled out: the flag `i` over all letters of all scripts makes a search four times as long to prepare. */
const ofDay = '(?:st|nd|rd|th|ST|ND|RD|TH)'
const of = '[Dd][Ee]'

/** How dates stand in a text, the surest first. What one of them has taken is not looked at again. */
const SURE = [
  `(?<year>(?:20)?\\d{2})\\s?[年년]\\s?${month}\\s?[月월](?:\\s?\\d{1,2}\\s?[日일])?`,
  `${month}\\s?[月월]${noGap}${anyYear}\\s?[年년]?`,
  `${named}${gap}\\d{1,2}${ofDay}?${gap}${century}`,
  `(?:\\d{1,2}${gap}(?:${of} )?)?${named}${noGap}(?:${of}[Ll]? )?${anyYear}`,
  `${century}${gap}${named}`,
  `${century}(?<sign>${sign})${month}(?:\\k<sign>\\d{1,2})?`,
  `(?<day>\\d{1,2})(?<sign>${sign})${month}\\k<sign>(?<year>(?:20)?\\d{2})`,
  `(?<day>\\d{1,2}) ${month} ${century}`,
  `${month}${gap}${century}`,
  `(?<!\\d${sign})${month}${sign}(?<year>\\d{2})(?!${sign}\\d)`,
]
const DOUBTFUL = [
  `(?<month>0[1-9]|1[0-2])${anyYear}`,
  `${century}${gap}${month}`,
  `${month}${gap}20 (?<year>\\d{2})`,
  `${month}${gap}(?<year>\\d{2})`,
  `${month}\\D{1,24}(?<!\\d)${century}`,
  `${century}\\D{1,24}${month}`,
]
let searches: readonly { form: RegExp; isDoubtful: boolean }[] | null = null

/** Made for the first text that needs them: made when the form begins, they would be a tenth of what its script takes. */
function searchesForDates() {
  searches ??= [SURE, DOUBTFUL].flatMap((forms) =>
    forms.map((form) => ({
      form: new RegExp(`(?<![\\p{L}\\p{M}\\d])${form}(?!\\d)`, 'gu'),
      isDoubtful: forms === DOUBTFUL,
    })),
  )
  return searches
}

/**
 * The expiry dates of this century that stand in a text with digits 0 to 9, and the text with an `x` for each character of those that
 * are not doubtful. A day is read over, but only the last of its month: of 01/12/2039 nobody can tell which is the month.
 */
export function datesIn(plain: string): { dates: FoundDate[]; rest: string } {
  const dates: FoundDate[] = []
  let [rest, open] = [plain, plain]
  for (const { form, isDoubtful } of searchesForDates()) {
    for (const { 0: found, index: start, groups = {} } of open.matchAll(form)) {
      const end = start + found.length
      const date = dateOf(groups)
      if (date !== null) dates.push({ ...date, start, end, isDoubtful })
      if (date !== null && !isDoubtful) rest = without(rest, { start, end })
      // Three numbers with the same sign between are one thing, whatever it is.
      if (date !== null || groups['day'] !== undefined) open = without(open, { start, end })
    }
  }
  return { dates, rest }
}

/** A text with an `x` for each character from `start` to `end`. */
export function without(text: string, { start, end }: { start: number; end: number }): string {
  return text.slice(0, start) + 'x'.repeat(end - start) + text.slice(end)
}

function dateOf({ day, month = '', name, year = '' }: Partial<Record<string, string>>): Expiry | null {
  const date = {
    month: name === undefined ? Number(month) : monthCalled(name),
    year: yearOf(year.replace(' ', '')),
  }
  if (day === undefined) return isMonth(date.month) ? date : null
  const orders = [
    { month: date.month, day: Number(day) },
    { month: Number(day), day: date.month },
  ]
  const found = orders.find((one) => isMonth(one.month) && one.day === lastDayOf(one.month, date.year))
  return found === undefined ? null : { month: found.month, year: date.year }
}

const isMonth = (month: number) => month >= 1 && month <= 12

const yearOf = (year: string) => (year.length === 2 ? 2000 + Number(year) : Number(year))

const lastDayOf = (month: number, year: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** Names of the months in the languages of the form, as keys, with the months (1 to 12) that are called so. */
let monthNames: [name: string, month: number][] | null = null

/** The month (1 to 12) of a name in any of the form's languages, whole or by its first letters; 0 for any other word. */
function monthCalled(word: string): number {
  // Asked of the browser at the first word, as to bring them along would make every document larger.
  monthNames ??= LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).flatMap((style) => {
      const names = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' })
      return Array.from({ length: 12 }, (_, index): [string, number] => [
        inPlainLetters(names.format(Date.UTC(2039, index, 15))),
        index + 1,
      ])
    }),
  )
  const name = inPlainLetters(word)
  if (name === 'mrz') return 3 // As German forms shorten it, and no browser.
  const known = monthNames.filter(([one]) => one === name)
  const called =
    known.length > 0 || name.length < 3 ? known : monthNames.filter(([one]) => one.startsWith(name))
  const months = new Set(called.map(([, month]) => month))
  return months.size === 1 ? (called[0]?.[1] ?? 0) : 0
}
