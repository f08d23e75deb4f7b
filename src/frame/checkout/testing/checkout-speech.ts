import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { LanguageWords } from '../../../contract/page/frame-setup.ts'
import type { Language } from '../../../contract/page/widget-appearance.ts'
import { speechIn } from '../../testing/speech.ts'
import type { Translation } from '../../language/translation.ts'

/** A language as a checkout's document has it. */
export function checkoutSpeechIn(code: Language): Translation {
  const text = readFileSync(`src/frame/checkout/languages/${code}.json`, 'utf8')
  return { code, words: { ...speechIn(code).words, ...v.parse(LanguageWords, JSON.parse(text)) } }
}
