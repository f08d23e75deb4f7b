import type { ComponentChildren, TargetedMouseEvent, VNode } from 'preact'
import { Icon } from '../icon.tsx'
import type { IconName } from '../icon.tsx'
import type { ButtonTone } from './button.tsx'
import './button.css'

interface ButtonLinkProps {
  href: string
  children: ComponentChildren
  tone?: ButtonTone
  icon?: IconName
  /** Whether the address is a file to be saved. */
  isDownload?: boolean
  /** Shows that what it leads to is being asked for. */
  isBusy?: boolean
  onClick?: (event: TargetedMouseEvent<HTMLAnchorElement>) => void
}

/** A link that looks like a button: it leads somewhere and changes nothing. */
export function ButtonLink({
  href,
  children,
  tone = 'plain',
  icon,
  isDownload = false,
  isBusy = false,
  onClick,
}: ButtonLinkProps): VNode {
  return (
    <a
      class={`button ${tone}`}
      href={href}
      aria-busy={isBusy}
      {...(isDownload && { download: '' })}
      {...(onClick && { onClick })}
    >
      {isBusy ? <span class="spinner" /> : icon && <Icon name={icon} />}
      <span>{children}</span>
    </a>
  )
}
