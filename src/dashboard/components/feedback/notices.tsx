import type { ComponentChildren, VNode } from 'preact'
import './feedback.css'

/** The notices at the top of a page. */
export function Notices({ children }: { children: ComponentChildren }): VNode {
  return <div class="notices">{children}</div>
}
