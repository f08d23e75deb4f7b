import { asciiDigits } from './digits.ts'

/** A field's text with the place of the caret in it, in UTF-16 units as the DOM counts. */
export interface TextWithCaret {
  value: string
  caret: number
}

/** What the browser made of a field, and by which kind of edit (`InputEvent.inputType`, '' if it is unknown). */
export interface TextEdit extends TextWithCaret {
  inputType: string
}

/** A digit or letter: what a person typed, other than gaps and signs. */
export const mark = /[\p{L}\p{Nd}]/gu
const directed = /^delete.*(?:Backward|Forward)$/

/** The edit with every digit written as 0 to 9, the caret where it was. */
export function withAsciiDigits({ value, caret, inputType }: TextEdit): TextEdit {
  const head = asciiDigits(value.slice(0, caret))
  return { value: head + asciiDigits(value.slice(caret)), caret: head.length, inputType }
}

/**
 * A deletion that took nothing but a separator meant the digit or letter beyond it: a person doesn't know that the gap
 * is a character. Returns the text without that one, or null if the edit was another.
 */
export function deletionBeyondGap(before: string, edit: TextEdit): TextWithCaret | null {
  if (!directed.test(edit.inputType) || marksOf(edit.value) !== marksOf(before)) return null
  const left = marksOf(edit.value.slice(0, edit.caret)).length
  const wanted = edit.inputType.endsWith('Backward') ? left - 1 : left
  const caret = [...before.matchAll(mark)][wanted]?.index
  return caret === undefined ? null : { value: before.slice(0, caret) + before.slice(caret + 1), caret }
}

/** The digits and letters of a text. */
export function marksOf(text: string): string {
  return text.match(mark)?.join('') ?? ''
}
