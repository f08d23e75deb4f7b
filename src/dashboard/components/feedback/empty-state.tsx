import type { ComponentChildren, VNode } from 'preact'
import { Icon } from '../icon.tsx'
import type { IconName } from '../icon.tsx'
import './feedback.css'

interface EmptyStateProps {
  icon: IconName
  title: string
  /** What will be shown here, and how to get the first. */
  children: ComponentChildren
  /** A button that makes the first one. */
  action?: ComponentChildren
}

/** A list that has nothing in it. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps): VNode {
  return (
    <div class="blank-state">
      <span class="blank-mark">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  )
}
