import { STYLE_KEYS } from '../../contract/page/widget-appearance.ts'
import type { StyleKey } from '../../contract/page/widget-appearance.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { schemeFor } from './color-scheme.ts'
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
