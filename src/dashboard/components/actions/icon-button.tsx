import type { VNode } from 'preact'
import { Icon } from '../icon.tsx'
import type { IconName } from '../icon.tsx'
import './button.css'

interface IconButtonProps {
  icon: IconName
  /** What it does. */
  label: string
  onClick: () => void
}

/** A button with an icon alone. */
export function IconButton({ icon, label, onClick }: IconButtonProps): VNode {
  return (
    <button type="button" class="button quiet icon-only" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}
