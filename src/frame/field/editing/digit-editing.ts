import { LONGEST_NUMBER, schemeOf } from '../../../card/scheme.ts'
import { digitsOf } from './digits.ts'
import { deletionBeyondGap } from './text-edit.ts'
import type { TextEdit, TextWithCaret } from './text-edit.ts'

/** The number field after an edit: digits in groups of their scheme, up to its longest length. */
export function editCardNumber(before: string, edit: TextEdit): TextWithCaret {
  const { head, tail } = editDigits(before, edit, (digits) => longestOf(schemeOf(digits)))
  const gaps = schemeOf(head + tail)?.gaps ?? DEFAULT_GAPS
  return { value: grouped(head + tail, gaps), caret: grouped(head, gaps).length }
}

/** The code field after an edit: up to `longest` digits. */
export function editCode(before: string, edit: TextEdit, longest: number): TextWithCaret {
  const { head, tail } = editDigits(before, edit, () => longest)
  return { value: head + tail, caret: head.length }
}

const DEFAULT_GAPS: readonly number[] = [4, 8, 12, 16]

interface DigitsAroundCaret {
  head: string
  tail: string
}

/**
 * The digits before and after the caret. Excess digits are removed from the inserted text, so that a full field refuses more
 * instead of losing its end. A deletion removes nothing else.
 */
function editDigits(
  before: string,
  edit: TextEdit,
  longestFor: (digits: string) => number,
): DigitsAroundCaret {
  const { value, caret } = deletionBeyondGap(before, edit) ?? edit
  const head = digitsOf(value.slice(0, caret))
  const tail = digitsOf(value.slice(caret))
  if (edit.inputType.startsWith('delete')) return { head, tail }
  const longest = Math.max(longestFor(head + tail), digitsOf(before).length)
  return { head: head.slice(0, Math.max(0, longest - tail.length)), tail: tail.slice(0, longest) }
}

function longestOf(scheme: ReturnType<typeof schemeOf>): number {
  return scheme === null ? LONGEST_NUMBER : Math.max(...scheme.lengths)
}

function grouped(digits: string, gaps: readonly number[]): string {
  return digits.replace(/\d/g, (digit, index: number) => (gaps.includes(index) ? ` ${digit}` : digit))
}
