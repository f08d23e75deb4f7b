import type { ComponentChildren, VNode } from 'preact'
import './feedback.css'

/** What is to be said first of all on a page, as `Notice`s. */
export function Notices({ children }: { children: ComponentChildren }): VNode {
  return <div class="notices">{children}</div>
}
