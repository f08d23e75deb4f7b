import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { LanguageWords } from '../src/contract/frame-setup.ts'
import { LANGUAGES } from '../src/contract/widget-appearance.ts'
import type { Language } from '../src/contract/widget-appearance.ts'

interface LanguageFile {
  language: Language
  words: Record<string, string>
  /** The words as they are served. */
  text: string
}

/** The form's languages but English, which is built in; one file each in `src/frame/languages`. */
export function languageFiles(): LanguageFile[] {
  return LANGUAGES.filter((language) => language !== 'en').map((language) => {
    const path = new URL(`../src/frame/languages/${language}.json`, import.meta.url)
    const words = v.parse(LanguageWords, JSON.parse(readFileSync(path, 'utf8')))
    return { language, words, text: JSON.stringify(words) }
  })
}
