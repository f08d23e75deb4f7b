import * as v from 'valibot'
import { LanguageWords } from '../../contract/page/frame-setup.ts'
import type { Language } from '../../contract/page/widget-appearance.ts'
import type { Translation } from './translation.ts'

/** The document to translate, and where its languages come from. */
export interface LanguageSource {
  page: Document
  /** Base address of the language files. */
  languagesUrl: string
  send: typeof globalThis.fetch
  warn: (message: string) => void
}

/**
 * Returns the function that changes the language of a document, whose texts `show` changes. The last one that is asked for counts. Each is
 * loaded once; if it can't be, the current language stays.
 */
export function createLanguageSwitch(
  current: Translation,
  { page, languagesUrl, send, warn }: LanguageSource,
  show: (translation: Translation) => void,
) {
  const known = new Map([[current.code, current]])
  let wanted: Language | null = null
  const showTranslation = (translation: Translation) => {
    show(translation)
    page.title = translation.words['title'] ?? ''
    page.documentElement.lang = translation.code
    page.documentElement.dir = directionOf(translation.code)
  }
  return async (language: Language): Promise<void> => {
    wanted = language
    try {
      const translation = known.get(language) ?? (await load(language, languagesUrl, send))
      known.set(language, translation)
      if (wanted === language) showTranslation(translation)
    } catch {
      warn(`svc: the texts of the language ${language} could not be loaded; what is shown stays as it is`)
    }
  }
}

async function load(
  language: Language,
  languagesUrl: string,
  send: typeof globalThis.fetch,
): Promise<Translation> {
  const response = await send(`${languagesUrl}${language}.json`, { credentials: 'omit' })
  const { success, output } = v.safeParse(LanguageWords, await response.json())
  if (!response.ok || !success) throw new Error(language)
  return { code: language, words: output }
}

function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}
