import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { parentOf } from '../page/page-input.ts'

type ColorScheme = NonNullable<WidgetSettings['color_scheme']>

/** Of 1: what is darker has light texts on it. */
const DARK_BELOW = 0.43

/**
 * The colour schemes of the page around an element, so that the form is dark only where the page is. A page declares them by the
 * style `color-scheme` or, where that is `normal`, by the meta element of that name; one that declares none is as dark as
 * its background.
 */
export function colorSchemeOf(element: Element): ColorScheme {
  const styled = getComputedStyle(element).colorScheme
  const named = document.querySelector<HTMLMetaElement>('meta[name="color-scheme"]')?.content ?? ''
  const words = [styled, named].find((text) => /dark|light/.test(text))
  if (words === undefined) return isOnDark(element) ? 'dark' : 'light'
  if (!words.includes('dark')) return 'light'
  return words.includes('light') ? 'light dark' : 'dark'
}

/** Whether the first background around an element that can't be seen through is dark; a page without one is white. */
function isOnDark(element: Element | null): boolean {
  if (element === null) return false
  // Such as `rgb(20, 20, 30)`, `oklch(0.2 0.02 260 / 0.9)` or `color(srgb 0 0 0.25)`.
  const words = getComputedStyle(element).backgroundColor.split(/[\s,/()]+/)
  const numbers = words.filter((word) => /^([-.\d]|none)/.test(word)).map((word) => parseFloat(word) || 0)
  const [one, two, three, alpha = 1] = numbers
  if (one === undefined || two === undefined || three === undefined || alpha < 0.5)
    return isOnDark(parentOf(element))
  const [name = ''] = words
  // Of lab, lch, oklab and oklch the first number says how light the colour is.
  if (/l(ab|ch)$/.test(name)) return one / (name.startsWith('ok') ? 1 : 100) < DARK_BELOW
  return (0.2126 * one + 0.7152 * two + 0.0722 * three) / (name.startsWith('rgb') ? 255 : 1) < DARK_BELOW
}
