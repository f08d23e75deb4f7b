import type { WidgetSettings } from './widget-settings.ts'

/** Settings that are merged entry by entry; any other is replaced. */
const MERGED = ['texts', 'styles', 'labels', 'placeholders', 'values'] as const

/** The settings after a change. The page, the card form and the checkout all use this rule. */
export function mergedSettings(before: WidgetSettings, change: WidgetSettings): WidgetSettings {
  const after: WidgetSettings = { ...before, ...change }
  for (const name of MERGED) {
    if (change[name]) Object.assign(after, { [name]: { ...before[name], ...change[name] } })
  }
  return after
}
