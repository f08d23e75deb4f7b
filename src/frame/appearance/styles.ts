import { STYLE_KEYS } from '../../contract/page/widget-appearance.ts'
import type { StyleKey } from '../../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { boundedFontSize, isCssValue } from './css-value.ts'

/**
 * Sets styles as custom properties (`text_color` → `--text-color`) on the root element and returns the names of those whose
 * value the browser doesn't take for the property: they change nothing.
 */
export function applyStyles(page: Document, styles: NonNullable<WidgetSettings['styles']>): string[] {
  const root = page.documentElement
  const wrong = STYLE_KEYS.filter((key) => {
    const value = styles[key]
    if (value === undefined) return false
    if (!isCssValue(propertyOf(key), value)) return true
    root.style.setProperty(`--${dashed(key)}`, key === 'font_size' ? boundedFontSize(value) : value)
    return false
  })
  pinScheme(root, page.body)
  return wrong
}

/** The CSS property that decides whether a style's value is one. */
function propertyOf(key: StyleKey): string {
  if (key === 'icon_size') return 'height'
  return key.endsWith('_color') ? 'color' : dashed(key)
}

function dashed(key: StyleKey): string {
  return key.replaceAll('_', '-')
}

/**
 * The merchant's colours were chosen for one scheme, so the colours that were not given must follow that one. Only the
 * body is told: the root stays in the scheme of the page, without which a browser paints a ground behind the frame.
 */
function pinScheme(root: HTMLElement, body: HTMLElement): void {
  const given = (key: StyleKey) => root.style.getPropertyValue(`--${dashed(key)}`) !== ''
  const { color, backgroundColor } = getComputedStyle(body)
  if (given('text_color')) body.style.colorScheme = schemeFor({ text: color })
  else if (given('background_color')) body.style.colorScheme = schemeFor({ ground: backgroundColor })
}

/**
 * Lightness, 0 to 255, from which a text must be meant for a dark ground, and below which a ground carries white text better
 * than black: relative luminances (WCAG 2.2) of 0.4 and 0.179, before they are made linear.
 */
const LIGHT_TEXT = 168
const DARK_GROUND = 117

/**
 * The colour scheme that a merchant's colour belongs to, as computed by the browser (`rgb(…)`): light text or a dark
 * ground is `dark`. A colour in another notation, or a ground that is seen through, says nothing: `light dark`.
 */
export function schemeFor(color: { text: string } | { ground: string }): 'light' | 'dark' | 'light dark' {
  const lightness = lightnessOf('text' in color ? color.text : color.ground)
  if (lightness === null) return 'light dark'
  return ('text' in color ? lightness > LIGHT_TEXT : lightness < DARK_GROUND) ? 'dark' : 'light'
}

function lightnessOf(color: string): number | null {
  const [red, green, blue, alpha] = color.match(/[\d.]+/g)?.map(Number) ?? []
  if (!color.startsWith('rgb') || red === undefined || green === undefined || blue === undefined) return null
  if (alpha !== undefined && alpha < 0.5) return null
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
