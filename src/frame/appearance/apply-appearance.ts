import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { applyElementStyles } from './element-styles.ts'
import { applyStyles } from './styles.ts'

/** Gives the document the looks that are set: scheme, theme, styles. One warning names every value that is none. */
export function applyAppearance(
  page: Document,
  { color_scheme, theme, styles, element_styles }: WidgetSettings,
  warn: (message: string) => void,
): void {
  const root = page.documentElement
  if (color_scheme !== undefined) root.style.colorScheme = color_scheme
  if (theme !== undefined) root.dataset['theme'] = theme
  const wrong = [
    ...applyStyles(page, styles ?? {}),
    ...(element_styles === undefined ? [] : applyElementStyles(page, element_styles)),
  ]
  if (wrong.length > 0) warn(`svc: no valid CSS value, ignored: ${wrong.join(', ')}`)
}
