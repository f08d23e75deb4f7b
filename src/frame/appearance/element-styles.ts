import type { Element, ElementState } from '../../contract/page/widget-appearance.ts'
import { ELEMENT_PROPERTIES } from '../../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { boundedFontSize, isCssValue } from './css-value.ts'

type ElementStyle = NonNullable<WidgetSettings['element_styles']>[number]

const SELECTORS: Readonly<Record<Element, string>> = {
  input: '#frame input',
  submit_button: '#frame [type=submit]',
  label: '#frame label',
  title: '#frame .title',
  title_description: '#frame .description',
}

const STATE_SELECTORS: Readonly<Record<ElementState, string>> = {
  focus: ':focus',
  error: '[aria-invalid=true]',
  hover: ':hover',
}

/**
 * Replaces the merchant's styles of elements. Each property is set separately through CSSOM, so that no value can contain
 * another declaration. Returns the names of properties whose value is not valid.
 */
export function applyElementStyles(page: Document, list: readonly ElementStyle[]): string[] {
  const sheet = new CSSStyleSheet()
  const invalid = list.flatMap(({ element, state, styles }) => {
    const selector = SELECTORS[element] + (state === undefined ? '' : STATE_SELECTORS[state])
    const rule = sheet.cssRules[sheet.insertRule(`${selector}{}`, sheet.cssRules.length)]
    return rule instanceof CSSStyleRule ? setProperties(rule.style, element, styles) : []
  })
  page.adoptedStyleSheets = [sheet]
  return invalid
}

function setProperties(
  rule: CSSStyleDeclaration,
  element: Element,
  styles: ElementStyle['styles'],
): string[] {
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

/** Sets black or white text, whichever is more readable, on a background that was set without a text colour. */
function keepReadable(rule: CSSStyleDeclaration, element: Element, background: string): void {
  if (element === 'submit_button') rule.setProperty('--fill', background)
  else if (rule.color === '')
    rule.setProperty('color', `oklch(from ${background} clamp(0, (0.6 - l) * 1000, 1) 0 0)`)
}
