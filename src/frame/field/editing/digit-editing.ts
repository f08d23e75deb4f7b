import { LONGEST_NUMBER, schemeOf } from '../../../card/scheme.ts'
import { digitsOf, passesLuhn } from '../../../card/digits.ts'
import { withSpokenDigits } from './spoken-digits.ts'
import { deletionBeyondGap, isKey } from './text-edit.ts'
import type { TextEdit, TextWithCaret } from './text-edit.ts'

/** The number field after an edit: digits in groups of their scheme, up to its longest length. */
export function editCardNumber(before: string, edit: TextEdit): TextWithCaret {
  const { head, tail } = editDigits(before, edit, longestOf)
  const gaps = schemeOf(head + tail)?.gaps ?? DEFAULT_GAPS
  return { value: grouped(head + tail, gaps), caret: grouped(head, gaps).length }
}

/** The code field after an edit: up to `longest` digits. */
export function editCode(before: string, edit: TextEdit, longest: number): TextWithCaret {
  const { head, tail } = editDigits(before, edit, () => longest)
  return { value: head + tail, caret: head.length }
}

const USUAL_LENGTH = 16
const DEFAULT_GAPS: readonly number[] = [4, 8, 12, 16]

interface DigitsAroundCaret {
  head: string
  tail: string
}

/**
 * The digits before and after the caret. A full field takes no more keys, so that it never loses its end. Text that was put in
 * at once is kept whole, also when it is too long: what is wrong with it is said, not cut off. A deletion removes nothing else.
 */
function editDigits(
  before: string,
  edit: TextEdit,
  longestFor: (digits: string) => number,
): DigitsAroundCaret {
  const { value, caret } = deletionBeyondGap(before, edit) ?? edit
  const head = digitsOf(withSpokenDigits(value.slice(0, caret)))
  const tail = digitsOf(value.slice(caret))
  if (!isKey(before, edit)) return { head, tail }
  const longest = Math.max(longestFor(head + tail), digitsOf(before).length)
  return { head: head.slice(0, Math.max(0, longest - tail.length)), tail: tail.slice(0, longest) }
}

/** Visa could issue 18 and 19 digits but hardly ever did: its number of 16 digits takes no key more if it is valid. */
function longestOf(digits: string): number {
  const scheme = schemeOf(digits)
  if (scheme === null) return LONGEST_NUMBER
  const isWholeVisa = scheme.name === 'visa' && passesLuhn(digits.slice(0, USUAL_LENGTH))
  return isWholeVisa ? USUAL_LENGTH : Math.max(...scheme.lengths)
}

function grouped(digits: string, gaps: readonly number[]): string {
  return digits.replace(/\d/g, (digit, index: number) => (gaps.includes(index) ? ` ${digit}` : digit))
}
