import * as v from 'valibot'
import { LanguageWords } from '../../contract/page/frame-setup.ts'
import type { Language } from '../../contract/page/widget-appearance.ts'
import { translateCountry } from '../field/address.ts'
import { announce } from '../form/announce.ts'
import type { Form } from '../form/form-view.ts'
import { wordsOf } from '../form/form-state.ts'
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
 * Returns the function that changes the language of the form and of its document. Each language is loaded once. If it can't
 * be loaded, the current language stays.
 */
export function createLanguageSwitch(form: Form, { page, languagesUrl, send, warn }: LanguageSource) {
  const known = new Map([[form.translation.value.code, form.translation.value]])
  let wanted: Language | null = null
  const showTranslation = (translation: Translation) => {
    announce(form, '')
    translateCountry(form, translation)
    form.translation.value = translation
    page.title = wordsOf(form, 'title')
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
      warn(`svc: the texts of the language ${language} could not be loaded; the form stays as it is`)
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
