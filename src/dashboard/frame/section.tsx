import { useId } from 'preact/hooks'
import type { ComponentChildren, VNode } from 'preact'
import './section.css'

interface SectionProps {
  title: ComponentChildren
  /** A sentence below the title. */
  description?: ComponentChildren
  actions?: ComponentChildren
  children: ComponentChildren
}

/** A part of a page with a heading. */
export function Section({ title, description, actions, children }: SectionProps): VNode {
  const id = useId()
  return (
    <section class="section" aria-labelledby={id}>
      <div class="section-head">
        <div>
          <h2 id={id}>{title}</h2>
          {description !== undefined && <p class="soft">{description}</p>}
        </div>
        {actions && <div class="section-actions">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
