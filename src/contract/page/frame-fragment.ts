import type { WidgetSettings } from './widget-settings.ts'

const SCHEME_NAMES = { light: '', dark: 'dark', 'light dark': 'both' } as const

/**
 * The fragment of a framed document's address, with its `#`, or ''. By it the document is painted right before its script runs and
 * the page has welcomed it. `late`: nothing shows until it has its settings, as it will look otherwise than it was built. `dark` and
 * `both`: the colour schemes of the page; without them it is light. Styles find it in `data-fragment` of the root element.
 */
export function fragmentOf(isLate: boolean, scheme: NonNullable<WidgetSettings['color_scheme']>): string {
  const name = [isLate ? 'late' : '', SCHEME_NAMES[scheme]].filter(Boolean).join('-')
  return name && `#${name}`
}
