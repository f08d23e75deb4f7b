import type { VNode } from 'preact'
import { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import { ChargeTimeline } from '../../../../contract/dashboard/payments/charge-timeline.ts'
import { useFormats } from '../../../app-context.ts'
import { TimeLine } from '../../../components/data/time-line.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Notices } from '../../../components/feedback/notices.tsx'
import { centsOf } from '../../../formats/cents.ts'
import { Money } from '../../../formats/money.tsx'
import { PageHeader } from '../../../shell/page-header.tsx'
import { Section } from '../../../shell/section.tsx'
import { TitleWithState } from '../../../shell/title-with-state.tsx'
import { TwoColumns } from '../../../shell/two-columns.tsx'
import { useLiveReload } from '../../../live/use-live.ts'
import { Loaded } from '../../../loading/loaded.tsx'
import type { Resource } from '../../../loading/resource.ts'
import { useResource } from '../../../loading/use-resource.ts'
import { usePeople } from '../../../people/use-people.ts'
import type { PageProps } from '../../../router/route.ts'
import { usePermits, useView } from '../../../session/use-view.ts'
import { ChargeStatusBadge } from '../charge-status.tsx'
import { attemptEntry } from './attempt-entry.tsx'
import { ChargeActions } from './charge-actions.tsx'
import { ChargeFacts } from './charge-facts.tsx'
import { chargeDetailTexts } from './texts.ts'
import { useChargeActs } from './use-charge-acts.ts'
import './charge.css'

const BACK = { href: '/charges', words: chargeDetailTexts.back }

/** One charge: what can be done with it, what was tried, and what is known of it. */
export function ChargePage({ id }: PageProps): VNode {
  const charge = useResource(`/v1/charges/${encodeURIComponent(id)}`, ChargeResource)
  const timeline = useResource(`/api/charges/${encodeURIComponent(id)}/timeline`, ChargeTimeline)
  const reload = () => {
    void charge.reload()
    void timeline.reload()
  }
  useLiveReload((subject) => subject === id, reload)
  return (
    <>
      {charge.state.value.kind !== 'ready' && <PageHeader back={BACK} title={chargeDetailTexts.title} />}
      <Loaded of={charge}>
        {(loaded) => <ChargeView charge={loaded} timeline={timeline} reload={reload} />}
      </Loaded>
    </>
  )
}

interface ChargeViewProps {
  charge: ChargeResource
  timeline: Resource<ChargeTimeline>
  reload: () => void
}

function ChargeView({ charge, timeline, reload }: ChargeViewProps): VNode {
  const change = usePermits()('change')
  const acts = useChargeActs(charge, reload)
  const state = timeline.state.value
  const known = state.kind === 'ready' ? state.data : null
  const isOutcomeOpen = known?.attempts.some(({ outcome }) => outcome === 'open') ?? false
  const holdEndsAt = known?.hold_ends_at ?? null
  return (
    <>
      <PageHeader
        back={BACK}
        title={
          <TitleWithState
            state={
              <ChargeStatusBadge
                status={charge.status}
                isPartlyRefunded={charge.statistics.total_refunded_amount > 0}
                isOutcomeOpen={isOutcomeOpen}
              />
            }
          >
            <Money cents={centsOf(charge.amount)} currency={charge.currency} />
          </TitleWithState>
        }
        actions={change && <ChargeActions charge={charge} acts={acts} isOutcomeOpen={isOutcomeOpen} />}
      >
        {charge.reference}
      </PageHeader>
      <ChargeNotices isOutcomeOpen={isOutcomeOpen} holdEndsAt={holdEndsAt} />
      <TwoColumns
        main={<Attempts timeline={timeline} isHold={charge.authorization} />}
        aside={<ChargeFacts charge={charge} holdEndsAt={holdEndsAt} />}
      />
    </>
  )
}

function ChargeNotices({
  isOutcomeOpen,
  holdEndsAt,
}: {
  isOutcomeOpen: boolean
  holdEndsAt: string | null
}): VNode {
  const { relative } = useFormats()
  return (
    <Notices>
      {isOutcomeOpen && <Notice tone="warning">{chargeDetailTexts.open}</Notice>}
      {!isOutcomeOpen && holdEndsAt !== null && (
        <Notice tone="info">{chargeDetailTexts.hold(relative(holdEndsAt))}</Notice>
      )}
    </Notices>
  )
}

function Attempts({ timeline, isHold }: { timeline: Resource<ChargeTimeline>; isHold: boolean }): VNode {
  const { user } = useView()
  const people = usePeople()
  return (
    <Section title={chargeDetailTexts.timeLine} description={chargeDetailTexts.timeLineWords}>
      <Loaded of={timeline}>
        {({ attempts }) => (
          <TimeLine
            label={chargeDetailTexts.timeLine}
            entries={attempts
              .map((attempt) => attemptEntry(attempt, { isHold, userId: user.id, people }))
              .reverse()}
          />
        )}
      </Loaded>
    </Section>
  )
}
