import type { WidgetSettings } from '../contract/widget-settings.ts'

/** Settings whose entries add up; any other replaces the one before it. */
const MERGED = ['texts', 'styles', 'labels', 'placeholders', 'values'] as const

/** What holds after a change, by the same rule that the form goes by (contract `widget-channel.ts`). */
export function mergedSettings(before: WidgetSettings, change: WidgetSettings): WidgetSettings {
  const after: WidgetSettings = { ...before, ...change }
  for (const name of MERGED) {
    if (change[name]) Object.assign(after, { [name]: { ...before[name], ...change[name] } })
  }
  return after
}
