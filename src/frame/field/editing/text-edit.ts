import { asciiDigits } from './digits.ts'

/** A field's text with the position of the caret, in UTF-16 units as in the DOM. */
export interface TextWithCaret {
  value: string
  caret: number
}

/** A field's text after an edit by the browser, and the kind of edit (`InputEvent.inputType`, '' if unknown). */
export interface TextEdit extends TextWithCaret {
  inputType: string
}

/** A digit or letter, as opposed to gaps and separators. */
export const alphanumeric = /[\p{L}\p{Nd}]/gu
const directionalDeletion = /^delete.*(?:Backward|Forward)$/

/** Converts every digit of an edit to 0 to 9 and keeps the caret. */
export function withAsciiDigits({ value, caret, inputType }: TextEdit): TextEdit {
  const head = asciiDigits(value.slice(0, caret))
  return { value: head + asciiDigits(value.slice(caret)), caret: head.length, inputType }
}

/**
 * A deletion that removed only a separator was meant for the digit or letter beyond it, as the person did not type the gap.
 * Returns the text without that character, or null for any other edit.
 */
export function deletionBeyondGap(before: string, edit: TextEdit): TextWithCaret | null {
  if (!directionalDeletion.test(edit.inputType) || alphanumericsOf(edit.value) !== alphanumericsOf(before))
    return null
  const left = alphanumericsOf(edit.value.slice(0, edit.caret)).length
  const index = edit.inputType.endsWith('Backward') ? left - 1 : left
  const caret = [...before.matchAll(alphanumeric)][index]?.index
  return caret === undefined ? null : { value: before.slice(0, caret) + before.slice(caret + 1), caret }
}

/** The digits and letters of a text. */
export function alphanumericsOf(text: string): string {
  return text.match(alphanumeric)?.join('') ?? ''
}
