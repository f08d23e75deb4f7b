import type { VNode } from 'preact'

/** What a mark stands for; `waiting` is a circle that turns. */
export type MarkName = keyof typeof PATHS | 'waiting'

const PATHS = {
  success: 'm14 25 7 7 13-15',
  time_over: 'M24 14v11l7 4',
  attention: 'M24 13v14m0 6v1',
}

/** The sign above what a page says in place of what it showed before. */
export function Mark({ name }: { name: MarkName }): VNode {
  if (name === 'waiting') return <span class="mark spinner" />
  return (
    <svg class={`mark ${name}`} viewBox="0 0 48 48" aria-hidden="true">
      <circle cx="24" cy="24" r="22" />
      <path d={PATHS[name]} pathLength="1" />
    </svg>
  )
}
