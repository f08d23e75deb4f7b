import {
  LANGUAGES,
  STYLE_KEYS,
  TEXT_KEYS,
  THEMES,
  ELEMENT_PROPERTIES,
  ELEMENTS,
} from '../../contract/page/widget-appearance.ts'
import type { Element, ElementState, ElementProperty } from '../../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { knownEntries, knownNames } from './merchant-input.ts'

/** Each function here turns what a merchant's page passes into a change of the settings. Unknown keys are ignored. */
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

/** `pt-BR` becomes `pt`, and an unknown language English. */
export function languageIn(code: unknown): WidgetSettings {
  const plain = String(code)
    .replace(/[-_].*/, '')
    .toLowerCase()
  const [language = 'en'] = knownNames('languages', LANGUAGES, [plain])
  return { language }
}

/** The state is optional: `(element, styles)` styles the element in its normal state. */
export function elementStyleIn(
  { element_styles = [] }: WidgetSettings,
  element: Element,
  stateOrStyles: StateOf<Element> | ElementStyles | null | undefined,
  styles?: ElementStyles,
): WidgetSettings {
  const [state, given] =
    typeof stateOrStyles === 'string' ? [stateOrStyles, styles] : [undefined, styles ?? stateOrStyles]
  return { element_styles: withElementStyle(element_styles, element, state, given ?? {}) }
}

/** States of an element that can be styled separately. */
export type StateOf<Name extends Element> = {
  input: 'focus' | 'error'
  submit_button: 'hover'
  label: never
  title: never
  title_description: never
}[Name]

/** Styles of one element of the form. */
export type ElementStyles = Partial<Record<ElementProperty, string>>

const STATES: Partial<Record<Element, ElementState[]>> = {
  input: ['focus', 'error'],
  submit_button: ['hover'],
}

type StyledElements = NonNullable<WidgetSettings['element_styles']>

/** Adds styles of one element, in a state or its normal one, to those set before. */
function withElementStyle(
  before: StyledElements,
  name: Element,
  state: ElementState | undefined,
  styles: ElementStyles,
): StyledElements {
  const [element] = knownNames('elements', ELEMENTS, [name])
  if (!element) return before
  if (state && knownNames(`states of ${element}`, STATES[element] ?? [], [state]).length === 0) return before
  const known = knownEntries(`styles of ${element}`, ELEMENT_PROPERTIES, styles)
  const isSame = (item: StyledElements[number]) => item.element === element && item.state === state
  const merged = { element, ...(state && { state }), styles: { ...before.find(isSame)?.styles, ...known } }
  return [...before.filter((item) => !isSame(item)), merged]
}
