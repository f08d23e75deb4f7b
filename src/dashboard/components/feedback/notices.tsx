import type { ComponentChildren, VNode } from 'preact'
import './feedback.css'

/** The notices at the top of a page; one that comes later is read out, too. */
export function Notices({ children }: { children: ComponentChildren }): VNode {
  return (
    <div class="notices" aria-live="polite">
      {children}
    </div>
  )
}
