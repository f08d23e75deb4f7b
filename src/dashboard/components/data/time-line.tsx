import type { ComponentChildren, VNode } from 'preact'
import { Moment } from '../../formats/moment.tsx'
import { Icon } from '../icon.tsx'
import type { IconName } from '../icon.tsx'
import type { BadgeTone } from './badge.tsx'
import './time-line.css'

/** Something that happened. */
export interface TimeLineEntry {
  key: string
  /** ISO 8601. */
  at: string
  tone: BadgeTone
  icon: IconName
  title: ComponentChildren
  /** More about it. */
  content?: ComponentChildren
}

interface TimeLineProps {
  label: string
  /** The newest first. */
  entries: readonly TimeLineEntry[]
}

/** What happened, one thing after the other. */
export function TimeLine({ label, entries }: TimeLineProps): VNode {
  return (
    <ol class="time-line" aria-label={label}>
      {entries.map(({ key, at, tone, icon, title, content }) => (
        <li key={key} class={tone}>
          <span class="time-mark">
            <Icon name={icon} />
          </span>
          <div>
            <p class="time-title">{title}</p>
            <p class="soft">
              <Moment at={at} />
            </p>
            {content}
          </div>
        </li>
      ))}
    </ol>
  )
}
