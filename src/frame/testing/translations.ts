import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { LanguageWords } from '../../contract/page/frame-setup.ts'
import type { Language } from '../../contract/page/widget-appearance.ts'
import type { Translation } from '../language/translation.ts'

/** A language as its file has it. */
export function readTranslation(code: Language): Translation {
  const text = readFileSync(`src/frame/languages/${code}.json`, 'utf8')
  return { code, words: v.parse(LanguageWords, JSON.parse(text)) }
}

/** A language as a checkout's document has it. */
export function readCheckoutTranslation(code: Language): Translation {
  const text = readFileSync(`src/frame/checkout/languages/${code}.json`, 'utf8')
  return { code, words: { ...readTranslation(code).words, ...v.parse(LanguageWords, JSON.parse(text)) } }
}

/** A language as the document of a bank's step has it. */
export function readAuthenticationTranslation(code: Language): Translation {
  const text = readFileSync(`src/frame/authentication/languages/${code}.json`, 'utf8')
  return { code, words: v.parse(LanguageWords, JSON.parse(text)) }
}
