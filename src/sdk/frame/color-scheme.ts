import type { WidgetSettings } from '../../contract/page/widget-settings.ts'

type ColorScheme = NonNullable<WidgetSettings['color_scheme']>

/** Of 255: what is darker has light texts on it. */
const DARK_BELOW = 110

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
  const { backgroundColor } = getComputedStyle(element)
  const [red, green, blue, alpha = 1] = backgroundColor.startsWith('rgb')
    ? (backgroundColor.match(/[\d.]+/g)?.map(Number) ?? [])
    : []
  if (red === undefined || green === undefined || blue === undefined || alpha < 0.5)
    return isOnDark(parentOf(element))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < DARK_BELOW
}

/** The host of a shadow tree stands around it. */
function parentOf({ parentNode }: Element): Element | null {
  const parent = parentNode instanceof ShadowRoot ? parentNode.host : parentNode
  return parent instanceof Element ? parent : null
}
