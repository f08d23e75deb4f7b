import { isKey } from './text-edit.ts'
import type { TextEdit, TextWithCaret } from './text-edit.ts'

const wide = /[\uff01-\uff5e]/g
const TO_ASCII = 0xfee0
/** As mail programs copy an address: with a name in front, in angle brackets, or as a link. */
const copied = /^(?:[^<>@]*<)?\s*(?:mailto:)?([^<>@\s]+@[^<>@\s?]+)[^<>@]*>?[\s,;]*$/i

/** The e-mail field after an edit: wide letters and signs of an Asian keyboard are plain ones, and a copied address loses its name. */
export function editEmail(before: string, edit: TextEdit): TextWithCaret {
  const value = edit.value.replace(wide, (sign) => String.fromCharCode(sign.charCodeAt(0) - TO_ASCII))
  const shown = isKey(before, edit) || edit.inputType.startsWith('delete') ? value : tidyEmail(value)
  return shown === value ? { value, caret: edit.caret } : { value: shown, caret: shown.length }
}

/** The address in a text such as `Ada <ada@example.com>`; any other text as it is. */
export function tidyEmail(text: string): string {
  return /[<>]|^\s*mailto:/i.test(text) ? (copied.exec(text)?.[1] ?? text) : text
}
