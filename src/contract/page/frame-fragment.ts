import type { WidgetSettings } from './widget-settings.ts'

/**
 * Fragments of a framed document's address, by which it is painted right before its script runs and the page has welcomed it.
 * `late`: nothing shows until it has its settings, as it will look otherwise than it was built. `dark` and `both`: the colour
 * schemes of the page; without them it is light. The document has an element of each name for its styles (`:target`).
 */
export const FRAME_FRAGMENTS = ['late', 'late-dark', 'late-both', 'dark', 'both'] as const

const SCHEME_NAMES = { light: '', dark: 'dark', 'light dark': 'both' } as const

/** The fragment with its `#`, or ''. */
export function fragmentOf(isLate: boolean, scheme: NonNullable<WidgetSettings['color_scheme']>): string {
  const name = [isLate ? 'late' : '', SCHEME_NAMES[scheme]].filter(Boolean).join('-')
  return name && `#${name}`
}
