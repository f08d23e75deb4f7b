import type { ComponentChildren, VNode } from 'preact'
import { Icon } from '../icon.tsx'
import type { IconName } from '../icon.tsx'
import './feedback.css'

const ICONS = { info: 'info', good: 'check', warning: 'warning', bad: 'warning' } as const satisfies Record<
  string,
  IconName
>

interface NoticeProps {
  tone: keyof typeof ICONS
  children: ComponentChildren
  /** A button beside the words. */
  action?: ComponentChildren
}

/** Words that must not be missed, in a box. What is bad is announced by screen readers at once. */
export function Notice({ tone, children, action }: NoticeProps): VNode {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={ICONS[tone]} />
      <div>{children}</div>
      {action}
    </div>
  )
}
