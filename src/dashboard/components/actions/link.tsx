import type { ComponentChildren, VNode } from 'preact'
import { Icon } from '../icon.tsx'
import './link.css'

interface LinkProps {
  href: string
  children: ComponentChildren
  /** Whether it leads out of the dashboard, into another tab. */
  isExternal?: boolean
}

/** A link in text. */
export function Link({ href, children, isExternal = false }: LinkProps): VNode {
  if (!isExternal)
    return (
      <a class="link" href={href}>
        {children}
      </a>
    )
  return (
    <a class="link" href={href} target="_blank" rel="noopener noreferrer">
      {children} <Icon name="external" label="(new tab)" />
    </a>
  )
}
