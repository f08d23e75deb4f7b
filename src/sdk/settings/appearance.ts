import { languageOf } from '../../contract/page/language-of.ts'
import {
  LANGUAGES,
  LAYOUTS,
  STYLE_KEYS,
  TEXT_KEYS,
  THEMES,
  ELEMENT_PROPERTIES,
  ELEMENTS,
} from '../../contract/page/widget-appearance.ts'
import type {
  Element as FormPart,
  ElementState,
  ElementProperty,
  Texts,
} from '../../contract/page/widget-appearance.ts'
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

/** An unknown layout changes nothing. */
export function layoutIn(name: unknown): WidgetSettings {
  const [layout] = knownNames('layouts', LAYOUTS, [name])
  return layout ? { layout } : {}
}

/** `fr-CA` becomes `fr`, and an unknown language English. */
export function languageIn(code: unknown): WidgetSettings {
  const tag = String(code)
  const [language = 'en'] = knownNames('languages', LANGUAGES, [languageOf(tag) ?? tag])
  return { language }
}

/** The state is optional: `(element, styles)` styles the element in its normal state. */
export function elementStyleIn(
  { element_styles = [] }: WidgetSettings,
  element: FormPart,
  stateOrStyles: StateOf<FormPart> | ElementStyles | null | undefined,
  styles?: ElementStyles,
): WidgetSettings {
  const [state, given] =
    typeof stateOrStyles === 'string' ? [stateOrStyles, styles] : [undefined, styles ?? stateOrStyles]
  return { element_styles: withElementStyle(element_styles, element, state, given ?? {}) }
}

/** States of an element that can be styled separately. */
export type StateOf<Name extends FormPart> = {
  input: 'focus' | 'error'
  submit_button: 'hover'
  label: never
  title: never
  title_description: never
}[Name]

/** Styles of one element of the form. */
export type ElementStyles = Partial<Record<ElementProperty, string>>

const STATES: Partial<Record<FormPart, ElementState[]>> = {
  input: ['focus', 'error'],
  submit_button: ['hover'],
}

type StyledElements = NonNullable<WidgetSettings['element_styles']>

/** Adds styles of one element, in a state or its normal one, to those set before. */
function withElementStyle(
  before: StyledElements,
  name: FormPart,
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

/** Settings in the container's attributes: `widget-style="text-color: #333; …"`, and one attribute per text, such as `submit-button="Pay"`. */
export function containerSettings(container: Element): WidgetSettings {
  const texts: Texts = {}
  for (const key of TEXT_KEYS) {
    const text = container.getAttribute(key.replaceAll('_', '-'))
    if (text !== null) texts[key] = text
  }
  const styles = container.getAttribute('widget-style')
  return {
    ...(Object.keys(texts)[0] && textsIn(texts)),
    ...(styles && stylesIn(declaredStyles(styles))),
  }
}

function declaredStyles(declarations: string): Record<string, string> {
  const styles: Record<string, string> = {}
  for (const [, name = '', value = ''] of declarations.matchAll(/([^:;]+):([^;]*)/g))
    styles[name.trim().replaceAll('-', '_')] = value.trim()
  return styles
}
