import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { applyElementStyles } from './element-styles.ts'
import { applyStyles } from './styles.ts'

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
