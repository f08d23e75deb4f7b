import type { WidgetSettings } from './widget-settings.ts'

/** Settings whose entries add up; any other replaces the one before it. */
const MERGED = ['texts', 'styles', 'labels', 'placeholders', 'values'] as const

/** The settings that hold after a change: the one rule that page, card form and checkout go by. */
export function mergedSettings(before: WidgetSettings, change: WidgetSettings): WidgetSettings {
  const after: WidgetSettings = { ...before, ...change }
  for (const name of MERGED) {
    if (change[name]) Object.assign(after, { [name]: { ...before[name], ...change[name] } })
  }
  return after
}
