import { numberVerdict, passesLuhn, SHORTEST_NUMBER } from '../../../card/number.ts'
import { LONGEST_NUMBER, schemeOf } from '../../../card/scheme.ts'
import { LONGEST_TEXT } from '../field-traits.ts'
import { asciiDigits } from '../../../card/digits.ts'
import { tidyExpiry } from './expiry-text.ts'
import { withSpokenDigits } from './spoken-digits.ts'

/** The parts of a card that a text names. */
export interface CardText {
  /** Digits of a number that can be one. */
  number: string
  /** As `MM / YY`. */
  expiry: string | null
  code: string | null
}

/** Digits with at most one gap or dash between. */
const digitRun = /\d(?:[\s.\u2010-\u2015_-]{0,2}\d)*/g
const group = /\d+/g
const twoNumbers = /(?<!\d)\d{1,2}\s*[/／.:\u2010-\u2015-]\s*(?:\d{4}|\d{2})(?!\d)/
const yearFirst = /(?<!\d)20\d{2}\s*[/／.\u2010-\u2015-]\s*\d{1,2}(?!\d)/
const fourDigits = /(?<!\d)(?:0[1-9]|1[0-2])(?:20)?\d{2}(?!\d)/
const twoGroups = /(?<!\d)(?:0?[1-9]|1[0-2])\s+(?:20)?\d{2}(?!\d)/
const isDate = /^\d{2} \/ \d{2}$/
const monthName = /\p{L}{3,9}\.?\s+(?:20)?\d{2}(?!\d)/u

/**
 * Reads a card out of a text that was pasted, dropped, dictated or filled in at once: its number, and the expiry and the code
 * where they stand beside it. Null without a whole number. What a field has no room for is not looked at.
 */
export function readCardText(text: string): CardText | null {
  const plain = withSpokenDigits(asciiDigits(text.slice(0, LONGEST_TEXT)))
  const found = [...plain.matchAll(digitRun)].flatMap(({ 0: run, index }) => numbersIn(run, index))
  const readings = found.map(({ digits, start, end }) =>
    readBeside(digits, `${plain.slice(0, start)} | ${plain.slice(end)}`),
  )
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

/** The card numbers in a run of digits, which begin and end where groups do. The first comes first. */
function numbersIn(run: string, at: number): FoundNumber[] {
  const groups = [...run.matchAll(group)].map(({ 0: digits, index }) => ({ digits, start: at + index }))
  return groups.flatMap(({ start }, first) => {
    let digits = ''
    return groups.slice(first, first + LONGEST_NUMBER).flatMap((one) => {
      digits += one.digits
      return isNumber(digits) ? [{ digits, start, end: one.start + one.digits.length }] : []
    })
  })
}

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
function readBeside(number: string, beside: string): Reading {
  const date = [yearFirst, twoNumbers, fourDigits, twoGroups, monthName]
    .map((form) => form.exec(beside)?.[0])
    .find((found) => found !== undefined && isDate.test(tidyExpiry(found)))
  const rest = date === undefined ? beside : beside.replace(date, ' ')
  const numbers = rest.match(group) ?? []
  const code = numbers.find((digits) => digits.length === (schemeOf(number)?.codeLength ?? 3)) ?? null
  const left = numbers.filter((digits) => digits !== code)
  const card = { number, expiry: date === undefined ? null : tidyExpiry(date), code }
  return { card, hasNoOtherDigits: !/\d/.test(beside), usesAllDigits: left.length === 0 }
}
