import { STYLE_KEYS } from '../contract/widget-appearance.ts'
import type { StyleKey } from '../contract/widget-appearance.ts'
import type { Welcome } from '../contract/widget-channel.ts'

/** The CSS property that decides whether a style's value is one. */
const PROPERTY_OF: Readonly<Record<StyleKey, string>> = {
  background_color: 'background-color',
  background_active_color: 'background-color',
  text_color: 'color',
  border_color: 'border-top-color',
  button_color: 'background-color',
  error_color: 'color',
  success_color: 'color',
  icon_size: 'height',
  font_size: 'font-size',
  font_family: 'font-family',
}

/**
 * Sets styles as custom properties (`text_color` → `--text-color`) on an element. A value that the browser doesn't take
 * for the property changes nothing; one warning names all of those.
 */
export function applyStyles(
  target: CSSStyleDeclaration,
  styles: Welcome['styles'],
  warn: (message: string) => void,
): void {
  const wrong = STYLE_KEYS.filter((key) => !applyStyle(target, key, styles[key]))
  if (wrong.length > 0) warn(`svc: no valid CSS value, ignored: ${wrong.join(', ')}`)
}

function applyStyle(target: CSSStyleDeclaration, key: StyleKey, value: string | undefined): boolean {
  if (value === undefined) return true
  if (!CSS.supports(PROPERTY_OF[key], value)) return false
  target.setProperty(`--${key.replaceAll('_', '-')}`, value)
  return true
}
