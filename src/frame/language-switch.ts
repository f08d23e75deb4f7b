import * as v from 'valibot'
import { LanguageWords } from '../contract/frame-setup.ts'
import type { Language } from '../contract/widget-appearance.ts'
import type { Form } from './form-view.ts'
import { wordsOf } from './form-state.ts'
import type { Speech } from './words.ts'

interface Parts {
  page: Document
  /** Where the files of the languages are. */
  languagesUrl: string
  send: typeof fetch
  warn: (message: string) => void
}

/**
 * Makes the one that changes the form's language, with the document's own language, direction and title. A language is
 * loaded when it is first asked for; one that can't be loaded leaves the one before.
 */
export function createLanguageSwitch(form: Form, { page, languagesUrl, send, warn }: Parts) {
  const known = new Map([[form.speech.value.code, form.speech.value]])
  let wanted = form.speech.value.code
  const show = (speech: Speech) => {
    form.announcement.value = ''
    form.speech.value = speech
    page.title = wordsOf(form, 'title')
    page.documentElement.lang = speech.code
    page.documentElement.dir = directionOf(speech.code)
  }
  show(form.speech.value)
  return async (language: Language): Promise<void> => {
    wanted = language
    try {
      const speech = known.get(language) ?? (await load(language, languagesUrl, send))
      known.set(language, speech)
      if (wanted === language) show(speech)
    } catch {
      warn(`svc: the texts of the language ${language} could not be loaded; the form stays as it is`)
    }
  }
}

async function load(language: Language, languagesUrl: string, send: typeof fetch): Promise<Speech> {
  const response = await send(`${languagesUrl}${language}.json`, { credentials: 'omit' })
  const { success, output } = v.safeParse(LanguageWords, await response.json())
  if (!response.ok || !success) throw new Error(language)
  return { code: language, words: output }
}

function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}
