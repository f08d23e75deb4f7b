import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { LANGUAGES } from '../src/contract/widget-appearance.ts'
import type { Language } from '../src/contract/widget-appearance.ts'
import { WORD_NAMES } from '../src/frame/word-names.ts'
import type { WordName } from '../src/frame/word-names.ts'

/** Every word, and no other: a form that lacks one would say nothing there. */
const AllWords = v.strictObject(v.entriesFromList(WORD_NAMES, v.string()))

interface LanguageFile {
  language: Language
  words: Record<WordName, string>
  /** The words as they are served. */
  text: string
}

/** The form's languages, one file each in `src/frame/languages`. */
export function languageFiles(): LanguageFile[] {
  return LANGUAGES.map((language) => {
    const path = new URL(`../src/frame/languages/${language}.json`, import.meta.url)
    const words = v.parse(AllWords, JSON.parse(readFileSync(path, 'utf8')))
    return { language, words, text: JSON.stringify(words) }
  })
}
