import type { VNode } from 'preact'
import { useFormats } from '../app-context.ts'

interface MomentProps {
  /** ISO 8601. */
  at: string
  /** Absent: date and time. */
  as?: 'date' | 'dateTime' | 'relative' | 'relativeDay'
}

/** A time in the person's zone; pointing at it shows it to the second. */
export function Moment({ at, as = 'dateTime' }: MomentProps): VNode {
  const formats = useFormats()
  return (
    <time dateTime={at} title={formats.exact(at)}>
      {formats[as](at)}
    </time>
  )
}
