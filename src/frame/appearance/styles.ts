import { STYLE_KEYS } from '../../contract/page/widget-appearance.ts'
import type { StyleKey } from '../../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { boundedFontSize, isCssValue } from './css-value.ts'

/**
 * Sets styles as custom properties (`text_color` → `--text-color`) on the root element. Ignores invalid values and returns
 * their names.
 */
export function applyStyles(page: Document, styles: NonNullable<WidgetSettings['styles']>): string[] {
  const root = page.documentElement
  const invalid = STYLE_KEYS.filter((key) => {
    const value = styles[key]
    if (value === undefined) return false
    if (!isCssValue(propertyOf(key), value)) return true
    root.style.setProperty(`--${dashed(key)}`, key === 'font_size' ? boundedFontSize(value) : value)
    return false
  })
  pinScheme(root, page.body)
  return invalid
}

/** The CSS property that validates a style's value. */
function propertyOf(key: StyleKey): string {
  if (key === 'icon_size') return 'height'
  return key.endsWith('_color') ? 'color' : dashed(key)
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
