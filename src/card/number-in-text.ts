import { digitRunsOf, inPlainDigits, readingsOf } from './digits-in-text.ts'
import type { DigitRun } from './digits-in-text.ts'
import { withoutPhoneNumbers, LONGER_THAN_PHONE_NUMBERS } from './phone-number.ts'
import { passesLuhn } from './digits.ts'
import { numberVerdict } from './number.ts'
import { lengthsFrom, schemeOf } from './scheme.ts'

/** Maestro's could have 12, which far too many ordinary numbers have. */
export const SHORTEST_NUMBER_IN_TEXT = 13
const FOURS = [4, 8, 12, 16]
/** The longest number by fours: 4-4-4-4-3. */
const MAX_FOURS = 5
/** Expiry (MMYYYY) and code. */
const MAX_DIGITS_BEHIND = 10
/** The longest number, an expiry and a code, each digit by itself. */
const LONGEST_RUN = 29
/** Other than ASCII may be digits of another script. */
const notPlain = /[^ -~\s]/
const expiry = /^(?:0[1-9]|1[0-2])(?:20)?[2-5]\d/
/** Separators that people mix within one number: nothing but white space, a dash, a dot, an underscore. */
const plainSeparator = /^[-._·]?$/

/**
 * Whether a text holds what may be a card number: 13 to 19 digits of a known range and its length that pass the Luhn check,
 * in any script, also escaped. Letters end a number, and so does a comma, semicolon or colon before white space. It is found
 * 1. in one piece, which no other digit touches;
 * 2. by fours, or as its scheme prints it, with separators of one kind; behind other groups of four only at their end;
 * 3. in other groups, such as halves, pairs or single digits, with the same separator in every gap, and no other digits before.
 * An expiry, a code or both may follow, in 1 and 3 also without a gap; other digits may follow in 2 alone.
 * An ordinary reference is refused only when it is such a number by chance: one in ten of those in a card's range. Known
 * references, parts of which would be more often, are let through (known-references.ts). What is not found, and why:
 * docs/security.md, "Card numbers in texts".
 */
export function holdsCardNumber(text: string): boolean {
  if (!mayHoldNumber(text)) return false
  return readingsOf(text).some(
    (reading) =>
      mayHoldNumber(reading) &&
      digitRunsOf(withoutKnownReferences(inPlainDigits(reading)), SHORTEST_NUMBER_IN_TEXT).some(holdsNumber),
  )
}

/** Whether it has digits enough, or other than ASCII. An escape has a digit for each digit that it stands for. */
function mayHoldNumber(text: string): boolean {
  let digits = 0
  for (let at = 0; at < text.length && digits < SHORTEST_NUMBER_IN_TEXT; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) digits += 1
  }
  return digits >= SHORTEST_NUMBER_IN_TEXT || notPlain.test(text)
}

function holdsNumber(run: DigitRun): boolean {
  return isAlone(run) || run.some(({ digits }, at) => isInOnePiece(digits) || isSetAsCard(run, at))
}

function isInOnePiece(digits: string): boolean {
  return candidatesAtStartOf(digits).some(
    (number) => mayFollow(number, digits.slice(number.length)) && isCardNumber(number),
  )
}

/** Whether the groups from one on are a number by fours, or as its scheme prints it: either way the first is a four. */
function isSetAsCard(run: DigitRun, at: number): boolean {
  if (run[at]?.digits.length !== 4) return false
  const isByFours = run[at + 1]?.digits.length === 4
  return candidatesAtStartOf(digitsOf(run.slice(at, at + MAX_FOURS))).some((number) => {
    const sizes = sizesOf(number, isByFours ? FOURS : (schemeOf(number)?.gaps ?? []))
    const groups = run.slice(at, at + sizes.length)
    return (
      sizes.every((size, place) => groups[place]?.digits.length === size) &&
      haveOneKindOfSeparator(groups) &&
      (beginsRowOfFours(run, at) || endsRowOfFours(run, at, number)) &&
      isCardNumber(number)
    )
  })
}

/** Without this, each four of a longer row, such as the number of a parcel, would be one more chance to be refused. */
function beginsRowOfFours(run: DigitRun, at: number): boolean {
  return run[at - 1]?.digits.length !== 4 || run[at]?.separator !== run[at + 1]?.separator
}

function endsRowOfFours(run: DigitRun, at: number, number: string): boolean {
  const behind = run.slice(at + 4, at + 4 + MAX_DIGITS_BEHIND + 1)
  return number.length === 16 && mayFollow(number, digitsOf(behind))
}

/** Whether a run as a whole is a number and what may follow it. */
function isAlone(run: DigitRun): boolean {
  if (run.length > LONGEST_RUN) return false
  const digits = digitsOf(run)
  return candidatesAtStartOf(digits).some((number) => {
    const groups = run.slice(0, groupsIn(run, number.length))
    return (
      (number.length >= LONGER_THAN_PHONE_NUMBERS || number.length === groups.length) &&
      mayFollow(number, digits.slice(number.length)) &&
      haveSameSeparator(groups) &&
      isCardNumber(number)
    )
  })
}

/** How many groups the first `length` digits stand in. */
function groupsIn(groups: DigitRun, length: number): number {
  let rest = length
  return groups.findIndex(({ digits }) => (rest -= digits.length) <= 0) + 1
}

/** The sizes of a number's groups; `gaps`: after how many digits each gap stands. */
function sizesOf(number: string, gaps: readonly number[]): number[] {
  const ends = [...gaps.filter((gap) => gap < number.length), number.length]
  return ends.map((end, place) => end - (ends[place - 1] ?? 0))
}

function haveSameSeparator([, second, ...others]: DigitRun): boolean {
  return others.every(({ separator }) => separator === second?.separator)
}

function haveOneKindOfSeparator(groups: DigitRun): boolean {
  return haveSameSeparator(groups) || groups.slice(1).every(({ separator }) => plainSeparator.test(separator))
}

/** Whether digits are nothing, or the expiry (MMYY or MMYYYY), the code, or both, of a number of 15 or 16. */
function mayFollow(number: string, digits: string): boolean {
  if (digits === '') return true
  if (digits.length > MAX_DIGITS_BEHIND || number.length < 15 || number.length > 16) return false
  const code = digits.replace(expiry, '')
  return code === '' || code.length === schemeOf(number)?.codeLength
}

function digitsOf(groups: DigitRun): string {
  return groups.map(({ digits }) => digits).join('')
}

/** Lengths that numbers with a certain start of four digits can have: quicker to ask than the whole verdict. */
const lengthsAfter = new Map<string, readonly number[]>()

/** What digits begin with and may be a card number by its first four digits, length and Luhn check: one at most for each length. */
function candidatesAtStartOf(digits: string): string[] {
  if (digits.length < SHORTEST_NUMBER_IN_TEXT) return []
  const start = digits.slice(0, 4)
  const lengths = lengthsAfter.get(start) ?? [...new Set(lengthsFrom(start))]
  lengthsAfter.set(start, lengths)
  return lengths
    .filter((length) => length >= SHORTEST_NUMBER_IN_TEXT && length <= digits.length)
    .map((length) => digits.slice(0, length))
    .filter(passesLuhn)
}

/** The whole verdict takes as long as a hundred Luhn checks, so it is asked for last. */
function isCardNumber(candidate: string): boolean {
  return numberVerdict(candidate) === 'valid'
}

const uuid = /(?<![\da-z])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])/gi
/** Ids of 24, as ours, UUIDs without dashes and MD5, SHA-1, SHA-256. */
const hexWord = /(?<![\da-z])(?:[\da-f]{64}|[\da-f]{40}|[\da-f]{32}|[\da-f]{24})(?![\da-z])/gi
/** Country, check digits and account, in one or by fours (ISO 13616-1): 15 to 34 characters. */
const ibanLike = /(?<![\dA-Z])[A-Z]{2}\d{2}(?:[ -]?[\dA-Z]{4}){2,7}(?:[ -]?[\dA-Z]{1,3})?(?![\dA-Z])/g
const SHORTEST_IBAN = 15
/** A part of one, as programs write scores and rates: up to 17 digits behind `0.`. */
const decimalFraction = /(?<![\d.,])0\.\d+/g

/**
 * A text in plain digits without the references whose own form shows that no card number is meant, though a part of one
 * may pass for it: phone numbers in international form, UUIDs, ids and hashes in hex, decimal fractions, and IBANs with right check
 * digits. A letter stands in their place.
 */
function withoutKnownReferences(plain: string): string {
  return withoutPhoneNumbers(plain)
    .replace(uuid, 'x')
    .replace(hexWord, (word) => (/[a-f]/i.test(word) ? 'x' : word))
    .replace(decimalFraction, 'x')
    .replace(ibanLike, withoutIban)
}

/** What follows an IBAN may look like more of it, so each place where it could end is tried. */
function withoutIban(text: string): string {
  const words = text.split(/(?<=[ -])/)
  for (let count = words.length; count > 0; count -= 1) {
    const head = words.slice(0, count).join('')
    if (isIban(head.replace(/[ -]/g, ''))) return `x ${words.slice(count).join('')}`
  }
  return text
}

/** ISO 7064 MOD 97-10: the account, then country and check digits, letters as 10 to 35, leave 1. */
function isIban(compact: string): boolean {
  if (compact.length < SHORTEST_IBAN) return false
  const moved = compact.slice(4) + compact.slice(0, 4)
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return Array.from(digits).reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1
}
