import type { ComponentChildren, VNode } from 'preact'
import { Icon } from '../icon.tsx'
import type { IconName } from '../icon.tsx'
import './badge.css'

/** The icon beside the words tells tones apart where colours do not. */
const ICONS = {
  good: 'check',
  bad: 'close',
  wait: 'clock',
  info: 'ring',
  calm: 'dash',
} as const satisfies Record<string, IconName>

export type BadgeTone = keyof typeof ICONS

interface BadgeProps {
  tone: BadgeTone
  children: ComponentChildren
}

/** A state in a word or two. */
export function Badge({ tone, children }: BadgeProps): VNode {
  return (
    <span class={`badge ${tone}`}>
      <Icon name={ICONS[tone]} />
      {children}
    </span>
  )
}
