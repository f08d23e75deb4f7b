import type { Element, ElementState } from '../../contract/page/widget-appearance.ts'
import { ELEMENT_PROPERTIES } from '../../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { boundedFontSize, isCssValue } from './css-value.ts'

type ElementStyle = NonNullable<WidgetSettings['element_styles']>[number]

const PARTS: Readonly<Record<Element, string>> = {
  input: '#frame input',
  submit_button: '#frame button',
  label: '#frame label',
  title: '#frame .title',
  title_description: '#frame .description',
}

const STATES: Readonly<Record<ElementState, string>> = {
  focus: ':focus',
  error: '[aria-invalid=true]',
  hover: ':hover',
}

/**
 * Puts the merchant's styles of parts of the form in the place of those before, each property by itself through CSSOM, so
 * that no value can be more than one. Returns the names of those whose value the browser doesn't take.
 */
export function applyElementStyles(page: Document, list: readonly ElementStyle[]): string[] {
  const sheet = new CSSStyleSheet()
  const wrong = list.flatMap(({ element, state, styles }) => {
    const selector = PARTS[element] + (state === undefined ? '' : STATES[state])
    const rule = sheet.cssRules[sheet.insertRule(`${selector}{}`, sheet.cssRules.length)]
    return rule instanceof CSSStyleRule ? fill(rule.style, element, styles) : []
  })
  page.adoptedStyleSheets = [sheet]
  return wrong
}

function fill(rule: CSSStyleDeclaration, element: Element, styles: ElementStyle['styles']): string[] {
  return ELEMENT_PROPERTIES.filter((key) => {
    const value = styles[key]
    const property = key.replaceAll('_', '-')
    if (value === undefined) return false
    if (!isCssValue(property, value)) return true
    rule.setProperty(property, key === 'font_size' ? boundedFontSize(value) : value)
    if (key === 'background_color') keepReadable(rule, element, value)
    return false
  }).map((key) => `${element}.${key}`)
}

/** A ground that comes without a colour for its text gets black or white, whichever is read better on it. */
function keepReadable(rule: CSSStyleDeclaration, element: Element, ground: string): void {
  if (element === 'submit_button') rule.setProperty('--fill', ground)
  else if (rule.color === '')
    rule.setProperty('color', `oklch(from ${ground} clamp(0, (0.6 - l) * 1000, 1) 0 0)`)
}
