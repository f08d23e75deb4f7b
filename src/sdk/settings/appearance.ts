import { LANGUAGES, STYLE_KEYS, TEXT_KEYS, THEMES } from '../../contract/page/widget-appearance.ts'
import type { Element } from '../../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { withElementStyle } from './element-style.ts'
import { knownEntries, knownNames } from './known-entries.ts'
import type { ElementStyles, StateOf } from './styled-element.ts'

/** Each of these makes a change of the settings out of what a merchant's page says of looks and words. */
export const textsIn = (texts: object): WidgetSettings => ({
  texts: knownEntries('texts', TEXT_KEYS, texts),
})

export const stylesIn = (styles: object): WidgetSettings => ({
  styles: knownEntries('styles', STYLE_KEYS, styles),
})

/** An unknown theme changes nothing. */
export function themeIn({ theme: before }: WidgetSettings, name: string): WidgetSettings {
  const [theme = before] = knownNames('themes', THEMES, [name])
  return theme ? { theme } : {}
}

/** `pt-BR` is `pt`; a language that is not built in is English. */
export function languageIn(code: unknown): WidgetSettings {
  const plain = String(code)
    .replace(/[-_].*/, '')
    .toLowerCase()
  const [language = 'en'] = knownNames('languages', LANGUAGES, [plain])
  return { language }
}

/** The state may be left out: `(element, styles)` are the styles of the element at rest. */
export function elementStyleIn(
  { element_styles = [] }: WidgetSettings,
  element: Element,
  stateOrStyles: StateOf<Element> | ElementStyles | null | undefined,
  styles?: ElementStyles,
): WidgetSettings {
  const [state, own] =
    typeof stateOrStyles === 'string' ? [stateOrStyles, styles] : [undefined, styles ?? stateOrStyles]
  return { element_styles: withElementStyle(element_styles, element, state, own ?? {}) }
}
