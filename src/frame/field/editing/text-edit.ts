import { asciiDigits, beyondAscii } from '../../../card/digits.ts'

/** A field's text with the position of the caret, in UTF-16 units as in the DOM. */
export interface TextWithCaret {
  value: string
  caret: number
}

/** A field's text after an edit by the browser, and the kind of edit (`InputEvent.inputType`, '' if unknown). */
export interface TextEdit extends TextWithCaret {
  inputType: string
  /** Whether it took the place of a selection. */
  replacedSelection?: boolean
  /** The text that was put in, where the browser said so. */
  inserted?: string | null
  /** The keys of the text before the edit, where the form has written them in another way. */
  typed?: string | undefined
}

/** What is known of an edit before the browser makes it. An input method's composition is one edit. */
export interface PendingEdit extends Pick<TextEdit, 'replacedSelection' | 'inserted'> {
  /** The field's text before. */
  before: string
}

/** A digit or letter, as opposed to gaps and separators. */
export const alphanumeric = /[\p{L}\p{Nd}]/gu
const asciiAlphanumeric = /[a-z\d]/gi
const typing = /^insert(?:Composition)?Text$/
const directionalDeletion = /^delete.*(?:Backward|Forward)$/

/**
 * An edit with the kind that its change shows where its event named none, as some keyboards and programs send it: one key more at the
 * end, also of a text without the form's gaps, or one character less.
 */
export function withKind(before: string, edit: TextEdit): TextEdit {
  const { value, caret, inputType } = edit
  if (inputType !== '' || caret < value.length) return edit
  if (before !== '' && value === before.slice(0, -1)) return { ...edit, inputType: 'deleteContentBackward' }
  const key = value.slice(-1)
  const isOneMore =
    value === before + key ||
    (alphanumericsOf(key) !== '' && alphanumericsOf(value) === alphanumericsOf(before) + key)
  return isOneMore
    ? { ...edit, value: before + key, caret: before.length + 1, inputType: 'insertText' }
    : edit
}

/** Converts every digit of an edit to 0 to 9 and keeps the caret. */
export function withAsciiDigits(edit: TextEdit): TextEdit {
  const head = asciiDigits(edit.value.slice(0, edit.caret))
  return { ...edit, value: head + asciiDigits(edit.value.slice(edit.caret)), caret: head.length }
}

/** Whether an edit is a single key, as opposed to text that is put in at once: pasted, dictated or filled in. */
export function isKey(before: string, { inputType, value, inserted }: TextEdit): boolean {
  return typing.test(inputType) && value.length <= before.length + 1 && (inserted?.length ?? 0) <= 1
}

/**
 * A deletion that removed only a separator was meant for the digit or letter beyond it, as the person did not type the gap.
 * Returns the text without that character, or null for any other edit, such as a gap that was selected.
 */
export function deletionBeyondGap(before: string, edit: TextEdit): TextWithCaret | null {
  if (edit.replacedSelection === true || !directionalDeletion.test(edit.inputType)) return null
  if (alphanumericsOf(edit.value) !== alphanumericsOf(before)) return null
  const left = alphanumericsOf(edit.value.slice(0, edit.caret)).length
  const isBackward = edit.inputType.endsWith('Backward')
  const beyond = edit.inputType.includes('Word') ? wordAt : characterAt
  const found = beyond(before, isBackward ? left - 1 : left)
  return found === null
    ? null
    : { value: before.slice(0, found.start) + before.slice(found.end), caret: found.start }
}

/** Where the digit or letter stands that has so many others before it. */
function characterAt(text: string, index: number): { start: number; end: number } | null {
  const start = [...text.matchAll(alphanumeric)][index]?.index
  return start === undefined ? null : { start, end: start + 1 }
}

/** The same for all digits and letters that stand together with it. */
function wordAt(text: string, index: number): { start: number; end: number } | null {
  const at = characterAt(text, index)
  if (at === null) return null
  const [behind = ''] = /^[\p{L}\p{Nd}]*/u.exec(text.slice(at.start)) ?? []
  const [front = ''] = /[\p{L}\p{Nd}]*$/u.exec(text.slice(0, at.start)) ?? []
  return { start: at.start - front.length, end: at.start + behind.length }
}

/** The digits and letters of a text. */
export function alphanumericsOf(text: string): string {
  return text.match(beyondAscii.test(text) ? alphanumeric : asciiAlphanumeric)?.join('') ?? ''
}
