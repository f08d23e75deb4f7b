import { languageOf } from '../../contract/page/language-of.ts'
import type { Language } from '../../contract/page/widget-appearance.ts'
import { parentOf } from '../page/page-input.ts'

/**
 * The language for a form that was given none: that of the page around its container (`lang`), else the first one of the
 * browser's that has built-in texts, else English.
 */
export function pageLanguage(container: Element): Language {
  const wanted = [declaredAround(container), ...navigator.languages].map(languageOf)
  return wanted.find((language) => language !== undefined) ?? 'en'
}

function declaredAround(element: Element | null): string {
  return element === null ? '' : (element.getAttribute('lang') ?? declaredAround(parentOf(element)))
}
