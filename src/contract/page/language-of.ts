import { LANGUAGES } from './widget-appearance.ts'
import type { Language } from './widget-appearance.ts'

/** The language with built-in texts that is next to a BCP 47 tag, such as `fr` for `fr-CA`. */
export function languageOf(tag: string): Language | undefined {
  if (/^pt.br(?![a-z])/i.test(tag)) return 'pt-BR'
  if (/^zh.(hant|tw|hk|mo)(?![a-z])/i.test(tag)) return 'zh-TW'
  const plain = tag.replace(/[-_].*/, '').toLowerCase()
  return LANGUAGES.find((language) => language === plain)
}
