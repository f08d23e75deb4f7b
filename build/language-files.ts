import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { LANGUAGES } from '../src/contract/page/widget-appearance.ts'
import type { Language } from '../src/contract/page/widget-appearance.ts'
import { AUTHENTICATION_WORD_NAMES } from '../src/frame/authentication/authentication-word-names.ts'
import { CHECKOUT_WORD_NAMES } from '../src/frame/checkout/checkout-word-names.ts'
import { WORD_NAMES } from '../src/frame/language/word-names.ts'

/** Exactly the known names, as a missing text would leave an empty label. */
const AllWords = v.strictObject(v.entriesFromList(WORD_NAMES, v.string()))
const AuthenticationWords = v.strictObject(v.entriesFromList(AUTHENTICATION_WORD_NAMES, v.string()))
const CheckoutWords = v.strictObject(v.entriesFromList(CHECKOUT_WORD_NAMES, v.string()))

export interface LanguageFile {
  language: Language
  words: Record<'title', string> & Readonly<Record<string, string>>
  /** The texts as JSON, as they are served. */
  text: string
}

/** The form's languages, one file each in `src/frame/languages`. */
export function languageFiles(): LanguageFile[] {
  return LANGUAGES.map((language) => fileOf(language, v.parse(AllWords, readWords('languages', language))))
}

/** The checkout's languages: the form's words, extended and overridden by the checkout's own. */
export function checkoutLanguageFiles(): LanguageFile[] {
  return languageFiles().map(({ language, words }) => {
    const own = v.parse(CheckoutWords, readWords('checkout/languages', language))
    return fileOf(language, { ...words, ...own })
  })
}

/** The languages of a bank's step: it shares no more texts with the form than its own files have. */
export function authenticationLanguageFiles(): LanguageFile[] {
  return LANGUAGES.map((language) =>
    fileOf(language, v.parse(AuthenticationWords, readWords('authentication/languages', language))),
  )
}

function fileOf(language: Language, words: LanguageFile['words']): LanguageFile {
  return { language, words, text: JSON.stringify(words) }
}

function readWords(folder: string, language: Language): unknown {
  const path = new URL(`../src/frame/${folder}/${language}.json`, import.meta.url)
  return JSON.parse(readFileSync(path, 'utf8'))
}
