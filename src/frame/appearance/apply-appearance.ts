import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import type { Element, ElementState, StyleKey } from '../../contract/page/widget-appearance.ts'
import { ELEMENT_PROPERTIES, propertyOfStyle, STYLE_KEYS } from '../../contract/page/widget-appearance.ts'
import { isValueText } from '../../contract/page/value-text.ts'

/** Applies colour scheme, theme and styles to the document. One warning names every value that is not valid CSS. */
export function applyAppearance(
  page: Document,
  { color_scheme, theme, styles, element_styles }: WidgetSettings,
  warn: (message: string) => void,
): void {
  const root = page.documentElement
  if (color_scheme !== undefined) root.style.colorScheme = color_scheme
  if (theme !== undefined) root.dataset['theme'] = theme
  const invalid = [
    ...applyStyles(page, styles ?? {}),
    ...(element_styles === undefined ? [] : applyElementStyles(page, element_styles)),
  ]
  if (invalid.length > 0) warn(`svc: no valid CSS value, ignored: ${invalid.join(', ')}`)
}

type ElementStyle = NonNullable<WidgetSettings['element_styles']>[number]

const SELECTORS: Readonly<Record<Element, string>> = {
  input: '#frame input',
  submit_button: '#frame [type=submit]',
  label: '#frame :is(label, .label)',
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
    if (key === 'border' && element === 'input') tellEdge(rule)
    return false
  }).map((key) => `${element}.${key}`)
}

/** Lets inputs that share a border, and the text in them, know how wide it is. */
function tellEdge(rule: CSSStyleDeclaration): void {
  const width = rule.borderTopStyle === 'none' ? '0px' : rule.borderTopWidth
  if (CSS.supports('padding', width)) rule.setProperty('--edge', width)
}

/** Sets black or white text, whichever is more readable, on a background that was set without a text colour. */
function keepReadable(rule: CSSStyleDeclaration, element: Element, background: string): void {
  if (element === 'submit_button') rule.setProperty('--fill', background)
  else if (rule.color === '')
    rule.setProperty('color', `oklch(from ${background} clamp(0, (0.6 - l) * 1000, 1) 0 0)`)
}

/**
 * Sets styles as custom properties (`text_color` → `--text-color`) on the root element. Ignores invalid values and returns
 * their names.
 */
export function applyStyles(page: Document, styles: NonNullable<WidgetSettings['styles']>): string[] {
  const root = page.documentElement
  const invalid = STYLE_KEYS.filter((key) => {
    const value = styles[key]
    if (value === undefined) return false
    if (!isCssValue(propertyOfStyle(key), value)) return true
    root.style.setProperty(`--${dashed(key)}`, asUsed(key, value))
    return false
  })
  pinScheme(root, page.body)
  return invalid
}

/** Sizes of texts are kept readable; a zero needs its unit, as styles are computed from others. */
function asUsed(key: StyleKey, value: string): string {
  if (propertyOfStyle(key) === 'font-size') return boundedFontSize(value)
  return /^[+-]?0$/.test(value.trim()) ? '0px' : value
}

function dashed(key: StyleKey): string {
  return key.replaceAll('_', '-')
}

/**
 * Merchants choose their colours for one colour scheme, so the remaining colours must follow that scheme. Set on the body
 * only: if the root differed from the page's scheme, browsers would paint a background behind the frame.
 */
function pinScheme(root: HTMLElement, body: HTMLElement): void {
  const given = (key: StyleKey) => root.style.getPropertyValue(`--${dashed(key)}`) !== ''
  // Asked for only where it is needed, as the browser styles the whole form before it answers.
  const computedStyle = () => getComputedStyle(body)
  if (given('text_color')) body.style.colorScheme = schemeFor({ text: computedStyle().color })
  else if (given('background_color'))
    body.style.colorScheme = schemeFor({ background: computedStyle().backgroundColor })
}

/**
 * Lightness, 0 to 255, above which text is meant for a dark background, and below which white text is more readable on a
 * background than black: relative luminances (WCAG 2.2) of 0.4 and 0.179, before linearisation.
 */
const LIGHT_TEXT = 168
const DARK_BACKGROUND = 117

/**
 * The colour scheme that a merchant's colour suits, as computed by the browser (`rgb(…)`): light text or a dark background is
 * `dark`. Other notations and transparent backgrounds suit both: `light dark`.
 */
export function schemeFor(color: { text: string } | { background: string }): 'light' | 'dark' | 'light dark' {
  const lightness = lightnessOf('text' in color ? color.text : color.background)
  if (lightness === null) return 'light dark'
  return ('text' in color ? lightness > LIGHT_TEXT : lightness < DARK_BACKGROUND) ? 'dark' : 'light'
}

function lightnessOf(color: string): number | null {
  const [red, green, blue, alpha] = color.match(/[\d.]+/g)?.map(Number) ?? []
  if (!color.startsWith('rgb') || red === undefined || green === undefined || blue === undefined) return null
  if (alpha !== undefined && alpha < 0.5) return null
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/**
 * Limits a font size to a readable range, so that one wrong value does not break the layout. A named size can't be used in
 * `clamp`, and is in range anyway.
 */
export function boundedFontSize(value: string): string {
  const bounded = `clamp(8px, ${value}, 48px)`
  return CSS.supports('font-size', bounded) ? bounded : value
}

/** Whether a text is a valid value of a CSS property, and nothing but a value. */
export function isCssValue(property: string, value: string): boolean {
  return isValueText(value) && CSS.supports(property, value)
}
