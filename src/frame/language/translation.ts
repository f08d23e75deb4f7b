import type { Language } from '../../contract/page/widget-appearance.ts'

/** A language and what the form says in it, by the names in `word-names.ts`. */
export interface Translation {
  code: Language
  words: Readonly<Record<string, string>>
}

/** A text with something in the place of its `{name}`. */
export function filled(text: string, name: string, value: string): string {
  return text.split(`{${name}}`).join(value)
}
