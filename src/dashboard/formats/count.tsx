import type { VNode } from 'preact'
import { useFormats } from '../app-context.ts'

/** How many there are, in the person's digits and separators. */
export function Count({ count }: { count: number }): VNode {
  return <>{useFormats().number(count)}</>
}
