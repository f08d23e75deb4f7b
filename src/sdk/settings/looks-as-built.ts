import type { WidgetSettings } from '../../contract/page/widget-settings.ts'

/** Settings that do not show when the form appears: its document comes in its language. */
const UNSEEN: readonly string[] = [
  'language',
  'ref_id',
  'meta',
  'only_supported',
  'values',
] satisfies (keyof WidgetSettings)[]

/** Whether a form of these settings looks as its document was built, so that it can be shown before it has them. */
export function looksAsBuilt(settings: WidgetSettings): boolean {
  return Object.entries(settings).every(([name, value]) => UNSEEN.includes(name) || isEmpty(value))
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && Object.keys({ ...value }).length === 0
}
