import type { ComponentChildren, VNode } from 'preact'
import { Icon } from '../icon.tsx'
import type { IconName } from '../icon.tsx'
import './button.css'

/** primary: the one act of a page or dialog. danger: it can't be undone. quiet: without a frame. */
export type ButtonTone = 'plain' | 'primary' | 'danger' | 'quiet'

interface ButtonProps {
  children: ComponentChildren
  tone?: ButtonTone
  icon?: IconName
  type?: 'button' | 'submit'
  /** Shows that the act is under way; the button keeps the focus and does nothing. */
  isBusy?: boolean
  isDisabled?: boolean
  onClick?: () => void
}

/** A button with words. */
export function Button({
  children,
  tone = 'plain',
  icon,
  type = 'button',
  isBusy = false,
  isDisabled = false,
  onClick,
}: ButtonProps): VNode {
  const isInactive = isBusy || isDisabled
  return (
    <button
      type={type}
      class={`button ${tone}`}
      aria-disabled={isInactive}
      aria-busy={isBusy}
      onClick={(event) => {
        if (isInactive) event.preventDefault()
        else onClick?.()
      }}
    >
      {isBusy ? <span class="spinner" /> : icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}
