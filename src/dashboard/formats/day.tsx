import type { VNode } from 'preact'
import { useFormats } from '../app-context.ts'

/** A calendar day such as `2026-11-21`. */
export function Day({ day }: { day: string }): VNode {
  return <time dateTime={day}>{useFormats().day(day)}</time>
}
