import type { Language } from '../../contract/page/widget-appearance.ts'

/** A language and the form's texts in it, by the names in `word-names.ts`. */
export interface Translation {
  code: Language
  words: Readonly<Record<string, string>>
}

/** Replaces `{name}` in a text. */
export function filled(text: string, name: string, value: string): string {
  return text.split(`{${name}}`).join(value)
}
