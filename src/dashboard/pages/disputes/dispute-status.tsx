import type { VNode } from 'preact'
import type { DisputeResource, DisputeStatus } from '../../../contract/api/disputes/dispute-resource.ts'
import { useApp, useFormats } from '../../app-context.ts'
import { Badge } from '../../components/data/badge.tsx'
import type { BadgeTone } from '../../components/data/badge.tsx'
import { deadlineTexts, standingTexts, statusTexts } from './texts.ts'
import './disputes.css'

/**
 * Where a dispute stands for the merchant. `open`: it can be answered here; `sending`: the gateway has not confirmed the answer;
 * `over`: its time has passed; `elsewhere`: it is answered at the gateway alone.
 */
export type Standing = 'open' | 'sending' | 'over' | 'elsewhere' | Exclude<DisputeStatus, 'needs_response'>

/** The standing of a dispute at a moment (ms since 1970). */
export function standingOf({ status, actions, answer, respond_by }: DisputeResource, now: number): Standing {
  if (status !== 'needs_response') return status
  if (actions.length > 0) return 'open'
  if (answer !== null && answer.state !== 'refused') return 'sending'
  return respond_by !== null && Date.parse(respond_by) <= now ? 'over' : 'elsewhere'
}

const TONES: Readonly<Record<Standing, BadgeTone>> = {
  open: 'wait',
  elsewhere: 'wait',
  sending: 'info',
  over: 'bad',
  under_review: 'info',
  won: 'good',
  lost: 'bad',
  accepted: 'calm',
}

/** The state of a dispute. */
export function DisputeStatusBadge({ dispute }: { dispute: DisputeResource }): VNode {
  const standing = standingOf(dispute, useApp().browser.now())
  const words =
    standing === 'sending' || standing === 'over' ? standingTexts[standing] : statusTexts[dispute.status]
  return <Badge tone={TONES[standing]}>{words}</Badge>
}

const DAY_MS = 86_400_000
/** A deadline that is nearer than this stands out, in ms. */
const NEAR_MS = 3 * DAY_MS

/** Until when a dispute is to be answered, such as "in 3 days"; null once it needs no answer. */
export function Deadline({
  dispute: { status, respond_by: at },
}: {
  dispute: DisputeResource
}): VNode | null {
  const { browser } = useApp()
  const formats = useFormats()
  if (status !== 'needs_response') return null
  if (at === null) return <span class="soft">{deadlineTexts.unknown}</span>
  const left = Date.parse(at) - browser.now()
  return (
    <time class={left < NEAR_MS ? 'deadline near' : 'deadline'} dateTime={at} title={formats.exact(at)}>
      {left <= 0 ? deadlineTexts.over : formats.relativeDay(at)}
    </time>
  )
}
