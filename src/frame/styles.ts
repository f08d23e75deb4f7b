import { STYLE_KEYS } from '../contract/widget-appearance.ts'
import type { StyleKey } from '../contract/widget-appearance.ts'
import type { Welcome } from '../contract/widget-channel.ts'
import { schemeFor } from './color-scheme.ts'

/**
 * Sets styles as custom properties (`text_color` → `--text-color`) on the root element. A value that the browser doesn't
 * take for the property changes nothing; one warning names all of those.
 */
export function applyStyles(
  root: HTMLElement,
  styles: Welcome['styles'],
  warn: (message: string) => void,
): void {
  const wrong = STYLE_KEYS.filter((key) => !applyStyle(root.style, key, styles[key]))
  if (wrong.length > 0) warn(`svc: no valid CSS value, ignored: ${wrong.join(', ')}`)
  pinScheme(root)
}

function applyStyle(target: CSSStyleDeclaration, key: StyleKey, value: string | undefined): boolean {
  if (value === undefined) return true
  if (!CSS.supports(propertyOf(key), value)) return false
  target.setProperty(`--${dashed(key)}`, value)
  return true
}

/** The CSS property that decides whether a style's value is one. */
function propertyOf(key: StyleKey): string {
  if (key === 'icon_size') return 'height'
  return key.endsWith('_color') ? 'color' : dashed(key)
}

function dashed(key: StyleKey): string {
  return key.replaceAll('_', '-')
}

/** The merchant's colours were chosen for one scheme, so the colours that were not given must follow that one. */
function pinScheme(root: HTMLElement): void {
  const given = (key: StyleKey) => root.style.getPropertyValue(`--${dashed(key)}`) !== ''
  const { color, backgroundColor } = getComputedStyle(root)
  if (given('text_color')) root.style.colorScheme = schemeFor({ text: color })
  else if (given('background_color')) root.style.colorScheme = schemeFor({ ground: backgroundColor })
}
