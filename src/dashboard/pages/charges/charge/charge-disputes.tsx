import type { VNode } from 'preact'
import * as v from 'valibot'
import { DisputeResource } from '../../../../contract/api/disputes/dispute-resource.ts'
import { useApp, useFormats } from '../../../app-context.ts'
import { ButtonLink } from '../../../components/actions/button-link.tsx'
import { Link } from '../../../components/actions/link.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { centsOf } from '../../../formats/cents.ts'
import { Moment } from '../../../formats/moment.tsx'
import type { Resource } from '../../../loading/resource.ts'
import { useResource } from '../../../loading/use-resource.ts'
import { pathWith } from '../../../router/query.ts'
import { Section } from '../../../shell/section.tsx'
import { Deadline, DisputeStatusBadge, standingOf } from '../../disputes/dispute-status.tsx'
import type { Standing } from '../../disputes/dispute-status.tsx'
import { categoryTexts } from '../../disputes/texts.ts'
import { chargeDisputeTexts } from './texts.ts'

const Disputes = v.array(DisputeResource)

/** The disputes of a charge. */
export function useChargeDisputes(chargeId: string): Resource<DisputeResource[]> {
  return useResource(pathWith('/v1/disputes', { charge_id: chargeId }), Disputes)
}

interface ChargeDisputesProps {
  disputes: Resource<DisputeResource[]>
}

const TONES = {
  open: 'warning',
  elsewhere: 'warning',
  over: 'warning',
  sending: 'info',
  under_review: 'info',
  lost: 'info',
  accepted: 'info',
} as const satisfies Record<Exclude<Standing, 'won'>, string>

/** Says of each dispute of a charge what it means for the money, and that a refund beside it would pay twice. */
export function DisputeNotices({ disputes }: ChargeDisputesProps): VNode | null {
  const { browser } = useApp()
  const { money, relativeDay } = useFormats()
  const state = disputes.state.value
  if (state.kind === 'failed')
    return <Notice tone="warning">{chargeDisputeTexts.unread(state.failure.words)}</Notice>
  if (state.kind === 'loading') return null
  return (
    <>
      {state.data.map((dispute) => {
        const { _id, amount, currency, stage, respond_by: by } = dispute
        const standing = standingOf(dispute, browser.now())
        if (standing === 'won') return null
        const { notices, twice, inquiry } = chargeDisputeTexts
        const isUndecided = standing !== 'lost' && standing !== 'accepted'
        const when = standing === 'open' && by !== null ? relativeDay(by) : null
        const words = [
          notices[standing](money(centsOf(amount), currency)),
          when !== null && chargeDisputeTexts.due(when),
          isUndecided && (stage === 'inquiry' ? inquiry : twice),
        ]
        return (
          <Notice
            key={_id}
            tone={TONES[standing]}
            action={<ButtonLink href={`/disputes/${_id}`}>{chargeDisputeTexts.show}</ButtonLink>}
          >
            {words.filter(Boolean).join(' ')}
          </Notice>
        )
      })}
    </>
  )
}

/** The disputes of a charge, each with a link to it; nothing where there are none. */
export function DisputesSection({ disputes }: ChargeDisputesProps): VNode | null {
  const { money } = useFormats()
  const state = disputes.state.value
  if (state.kind !== 'ready' || state.data.length === 0) return null
  return (
    <Section title={chargeDisputeTexts.title}>
      <ul class="charge-disputes" aria-label={chargeDisputeTexts.title}>
        {state.data.map((dispute) => (
          <li key={dispute._id}>
            <Link href={`/disputes/${dispute._id}`}>
              {money(centsOf(dispute.amount), dispute.currency)} · {categoryTexts[dispute.reason.category]}
            </Link>{' '}
            <DisputeStatusBadge dispute={dispute} /> <Deadline dispute={dispute} />
            <span class="soft">
              <Moment at={dispute.created_at} as="date" />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
