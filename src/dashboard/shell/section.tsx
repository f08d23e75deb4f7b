import { useId } from 'preact/hooks'
import type { ComponentChildren, VNode } from 'preact'
import './section.css'

interface SectionProps {
  title: ComponentChildren
  /** A sentence below the title. */
  description?: ComponentChildren
  actions?: ComponentChildren
  /** Puts the content beside the heading on a wide screen, as for settings. */
  isBeside?: boolean
  children: ComponentChildren
}

/** A part of a page with a heading. */
export function Section({ title, description, actions, isBeside = false, children }: SectionProps): VNode {
  const id = useId()
  return (
    <section class={isBeside ? 'section beside' : 'section'} aria-labelledby={id}>
      <div class="section-head">
        <div>
          <h2 id={id}>{title}</h2>
          {description !== undefined && <p class="soft">{description}</p>}
        </div>
        {actions && <div class="section-actions">{actions}</div>}
      </div>
      <div class="section-content">{children}</div>
    </section>
  )
}
