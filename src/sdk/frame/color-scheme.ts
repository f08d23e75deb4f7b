import type { WidgetSettings } from '../../contract/page/widget-settings.ts'

type ColorScheme = NonNullable<WidgetSettings['color_scheme']>

/**
 * The schemes that the page around an element is painted for, so that the form is dark only where the page is. A
 * page says it by the style `color-scheme` or, where that is `normal`, by the meta element of that name.
 */
export function colorSchemeOf(element: Element): ColorScheme {
  const styled = getComputedStyle(element).colorScheme
  const named = document.querySelector<HTMLMetaElement>('meta[name="color-scheme"]')?.content ?? ''
  const words = /dark|light/.test(styled) ? styled : named
  if (!words.includes('dark')) return 'light'
  return words.includes('light') ? 'light dark' : 'dark'
}
