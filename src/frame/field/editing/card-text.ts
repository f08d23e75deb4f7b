import { expiryVerdict } from '../../../card/expiry.ts'
import { numberVerdict, SHORTEST_NUMBER } from '../../../card/number.ts'
import { LONGEST_NUMBER, schemeOf } from '../../../card/scheme.ts'
import { LONGEST_TEXT } from '../field-traits.ts'
import { asciiDigits, passesLuhn } from '../../../card/digits.ts'
import { datesIn, latestOf, shownExpiry, without } from './expiry-text.ts'
import type { FoundDate } from './expiry-text.ts'
import { withSpokenDigits } from './spoken-digits.ts'

/** The parts of a card that a text names. */
export interface CardText {
  /** Digits of a number that can be one. */
  number: string
  /** As `MM / YY`. */
  expiry: string | null
  code: string | null
}

/** Digits with a few signs between, but no letters. */
const digitRun = /\d(?:[^\p{L}\d]{0,3}\d)*/gu
const group = /\d+/g
/** Signs that people mix within one number: white space, dashes, dots in the middle, and what is not seen at all. */
const plainSign = /^[\s\p{Pd}\p{Cf}._·•・‧∙−]*$/u
/** The names of a security code; a postcode is not one. */
const namedCode =
  /(?:\bc[vs][cnv]2?|\bcid|(?<!post|zip )code|código|codice|prüf\w*)\P{Nd}{1,8}(\d{3,4})(?!\d)/iu

/**
 * Reads a card out of a text that was pasted, dropped, dictated or filled in at once, at a moment (ms since 1970): its number, and
 * the expiry and the code where they stand beside it. Null without a whole number. What a field has no room for is not looked at.
 */
export function readCardText(text: string, now: number): CardText | null {
  const plain = withSpokenDigits(asciiDigits(text.slice(0, LONGEST_TEXT)))
  const found = [...plain.matchAll(digitRun)].flatMap(({ 0: run, index }) => numbersIn(run, index))
  const readings = found.map((number) => readBeside(number, plain, now))
  return (
    readings.find(({ hasNoOtherDigits }) => hasNoOtherDigits)?.card ??
    readings.find(({ usesAllDigits }) => usesAllDigits)?.card ??
    readings[0]?.card ??
    null
  )
}

interface FoundNumber {
  digits: string
  /** Where it stands in the text. */
  start: number
  end: number
}

/**
 * The card numbers in a run of digits, which begin and end where groups do, with plain signs or the same sign in all gaps. The first
 * comes first.
 */
function numbersIn(run: string, at: number): FoundNumber[] {
  const groups = [...run.matchAll(group)].map(({ 0: digits, index }) => ({ digits, index }))
  return groups.flatMap(({ index: start }, first) => {
    let [digits, end] = ['', start]
    const signs = new Set<string>()
    return groups.slice(first, first + LONGEST_NUMBER).flatMap((one) => {
      if (digits !== '') signs.add(signOf(run.slice(end, one.index)))
      digits += one.digits
      end = one.index + one.digits.length
      return signs.size <= 1 && isNumber(digits) ? [{ digits, start: at + start, end: at + end }] : []
    })
  })
}

const signOf = (between: string) => (plainSign.test(between) ? '' : between.trim())

/** The whole verdict takes as long as a hundred Luhn checks, so it is asked for last. */
function isNumber(digits: string): boolean {
  return digits.length >= SHORTEST_NUMBER && passesLuhn(digits) && numberVerdict(digits) === 'valid'
}

interface Reading {
  card: CardText
  /** Whether no digits stand beside the number. */
  hasNoOtherDigits: boolean
  /** Whether all digits were read. */
  usesAllDigits: boolean
}

/** A number with the expiry and the code in what stands beside it. */
function readBeside({ digits: number, start, end }: FoundNumber, plain: string, now: number): Reading {
  const beside = `${plain.slice(0, start)} x ${plain.slice(end)}`
  const { dates, rest: besideDates } = datesIn(beside)
  const expiry = expiryAmong(dates, start, now)
  const rest = expiry === null ? besideDates : without(besideDates, expiry)
  const codeLength = schemeOf(number)?.codeLength ?? 3
  const groups = [...rest.matchAll(group)].map(({ 0: digits, index }) => ({ digits, index }))
  const codes = groups.filter(({ digits }) => digits.length === codeLength)
  const named = namedCode.exec(rest)?.[1]
  const code =
    codes.find(({ digits }) => digits === named) ?? codes.find(({ index }) => index > start) ?? codes[0]
  return {
    card: { number, expiry: expiry === null ? null : shownExpiry(expiry), code: code?.digits ?? null },
    hasNoOtherDigits: !/\d/.test(beside),
    usesAllDigits: groups.every((one) => one === code),
  }
}

/**
 * The latest date that a card can be good to, as a card also says since when it is; what may be something else counts only
 * where nothing better stands, and first behind the number.
 */
function expiryAmong(dates: readonly FoundDate[], numberAt: number, now: number): FoundDate | null {
  const sure = dates.filter(({ isDoubtful }) => !isDoubtful)
  const doubtful = dates.filter(({ isDoubtful }) => isDoubtful)
  const behind = doubtful.filter(({ start }) => start > numberAt)
  const good = (some: readonly FoundDate[]) => some.filter((date) => expiryVerdict(date, now) === 'valid')
  return latestOf(good(sure)) ?? good(behind)[0] ?? good(doubtful)[0] ?? latestOf(sure) ?? behind[0] ?? null
}
