import { digitRunsOf, inPlainDigits, withoutEscapes } from './digits-in-text.ts'
import type { DigitRun } from './digits-in-text.ts'
import { withoutKnownReferences } from './known-references.ts'
import { numberVerdict, passesLuhn } from './number.ts'
import { LONGEST_NUMBER, lengthsFrom, schemeOf } from './scheme.ts'

const SHORTEST_NUMBER = 13
/** E.164 lets phone numbers have so many digits, but none is known that has. */
const LONGER_THAN_PHONE_NUMBERS = 15
/** Digits of a number, its expiry and its code: too many to be anything else by chance, however they are set. */
const WITH_EXPIRY_AND_CODE = 23
const HIDDEN = '[card number]'
/** An escape has a digit for each digit that it stands for; other than ASCII is looked at in any case. */
const enoughDigits = /(?:\d\D*){13}|[^ -~\s]/
const expiry = /^(?:0[1-9]|1[0-2])(?:20)?[2-5]\d/

/**
 * Whether a text holds what may be a card number: 13 to 19 digits of any script, of a known range and its length, that
 * pass the Luhn check. Such a text must not be kept where texts are kept. The digits are looked for
 * - in every group of digits by itself, between letters too;
 * - in every row of whole groups that is set as cards are: by fours, as the scheme prints it, or digit by digit, with
 *   anything but letters between them;
 * - in a run of groups as a whole, however it is set, when the same separator stands in each gap;
 * - in a group or a run as a whole that goes on with the code, the expiry, or both, to its last digit.
 * Of ordinary references only those are refused that are such a number by chance: one in ten of those in a card's range.
 * Known shapes, parts of which would be more often, are let through: see known-references.ts.
 * Escapes are taken back once. Base64, words, and a number in two texts are not found; a code by itself can't be.
 */
export function holdsCardNumber(text: string): boolean {
  if (!enoughDigits.test(text)) return false
  return [...new Set([text, withoutEscapes(text)])].some((reading) =>
    digitRunsOf(withoutKnownReferences(inPlainDigits(reading))).some(isSuspect),
  )
}

/** A text as it may be logged or answered: one that holds a card number is hidden as a whole. */
export function hideCardNumbers(text: string): string {
  return holdsCardNumber(text) ? HIDDEN : text
}

function isSuspect(run: DigitRun): boolean {
  const whole = run.map(({ digits }) => digits).join('')
  if (whole.length < SHORTEST_NUMBER) return false
  return (
    (whole.length >= LONGER_THAN_PHONE_NUMBERS && hasOneSeparator(run) && isNumber(whole)) ||
    ((whole.length >= WITH_EXPIRY_AND_CODE || hasOneSeparator(run)) && goesOn(whole)) ||
    run.some(({ digits }, at) => goesOn(digits) || isBegunAt(run, at))
  )
}

function hasOneSeparator([, second, ...others]: DigitRun): boolean {
  return others.every(({ separator }) => separator === second?.separator)
}

/** Whether groups from one on are a card number, set as cards are. */
function isBegunAt(run: DigitRun, from: number): boolean {
  const gaps: number[] = []
  let digits = ''
  for (let to = from; to < run.length && digits.length < LONGEST_NUMBER; to += 1) {
    if (to > from) gaps.push(digits.length)
    digits += run[to]?.digits ?? ''
    if (isNumber(digits) && isSetAsCard(digits, gaps) && !isAmidFours(run, from, to)) return true
  }
  return false
}

/** `gaps`: after how many of the digits each stands. */
function isSetAsCard(digits: string, gaps: readonly number[]): boolean {
  const printed = schemeOf(digits)?.gaps ?? []
  return (
    gaps.every((gap) => gap % 4 === 0) ||
    gaps.every((gap) => printed.includes(gap)) ||
    gaps.length === digits.length - 1
  )
}

/**
 * Whether groups stand behind others in a longer row of fours, such as the number of a parcel. There only four of them
 * count, and only when nothing or an expiry follows.
 */
function isAmidFours(run: DigitRun, from: number, to: number): boolean {
  const [before, first, second] = [run[from - 1], run[from], run[from + 1]]
  const isOneOfMany = [before, first, second].every((group) => group?.digits.length === 4)
  if (to === from || !isOneOfMany || first?.separator !== second?.separator) return false
  const behind = run.slice(to + 1, to + 4).map(({ digits }) => digits)
  const isFour = to - from === 3 && run[to]?.digits.length === 4
  return !isFour || (behind.length > 0 && !expiry.test(behind.join('')))
}

/** Whether digits are a number of 15 or 16 and its expiry (MMYY or MMYYYY), its code, or both, without anything between. */
function goesOn(digits: string): boolean {
  return [15, 16].some((length) => {
    const [number, rest] = [digits.slice(0, length), digits.slice(length)]
    if (rest.length < 3 || rest.length > 10 || !isNumber(number)) return false
    const code = rest.replace(expiry, '')
    return code === '' || code.length === schemeOf(number)?.codeLength
  })
}

/** Lengths that numbers with a certain start of four digits can have: quicker to ask than the whole verdict. */
const lengthsAfter = new Map<string, readonly number[]>()

function isNumber(digits: string): boolean {
  if (digits.length < SHORTEST_NUMBER || digits.length > LONGEST_NUMBER) return false
  const start = digits.slice(0, 4)
  const lengths = lengthsAfter.get(start) ?? lengthsFrom(start)
  lengthsAfter.set(start, lengths)
  return lengths.includes(digits.length) && passesLuhn(digits) && numberVerdict(digits) === 'valid'
}
