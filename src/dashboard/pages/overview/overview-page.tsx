import type { VNode, ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { useApp, useFormats } from '../../app-context.ts'
import { dayOf } from '../../formats/day-start.ts'
import { FiltersBar } from '../../components/data/filters-bar.tsx'
import { Tabs } from '../../components/data/tabs.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { CREATED_FILTERS } from '../../listing/created-query.ts'
import { Loaded } from '../../loading/loaded.tsx'
import { hrefWith, pathWith } from '../../router/query.ts'
import { useView } from '../../session/use-view.ts'
import { DataTable } from '../../components/data/data-table.tsx'
import type { Column } from '../../components/data/data-table.tsx'
import { Count } from '../../formats/count.tsx'
import { Money } from '../../formats/money.tsx'
import { Section } from '../../shell/section.tsx'
import { overviewTexts } from './texts.ts'
import { AuthenticationsSection } from './authentications-section.tsx'
import { NeedsSection } from './needs-section.tsx'
import { USUAL_DAYS, Overview } from '../../../contract/dashboard/overview.ts'
import type { Tally } from '../../../contract/dashboard/overview.ts'
import { SchemesSection } from './schemes-section.tsx'
import { TrendSection } from './trend-section.tsx'
import { useLiveReload } from '../../live/use-live.ts'
import type { Resource, ResourceState } from '../../loading/resource.ts'
import { useResource } from '../../loading/use-resource.ts'

import './overview.css'

/** The first page: figures of the merchant's charges, and what needs attention. */
export function OverviewPage(): VNode {
  const { time_zone: timeZone } = useView()
  const { days, overview } = useOverview()
  return (
    <>
      <PageHeader title={overviewTexts.title}>{overviewTexts.about(timeZone)}</PageHeader>
      <div class="overview-days">
        <PresetTabs current={days.preset} />
        <FiltersBar filters={CREATED_FILTERS} />
      </div>
      <Loaded of={overview} skeleton={<Skeleton lines={8} />}>
        {(data) => <Figures overview={data} reload={overview.reload} />}
      </Loaded>
    </>
  )
}

function PresetTabs({ current }: { current: Preset | null }): VNode {
  const place = useApp().router.place.value
  const tabs = PRESETS.map((days) => ({
    href: hrefWith(place, { days: String(days), from: null, to: null }),
    words: overviewTexts.presets[days],
    isCurrent: days === current,
  }))
  return <Tabs label={overviewTexts.days} tabs={tabs} />
}

/** Above this many uncounted events the page says so: a few are normal. */
const MANY_UNCOUNTED = 100

function Figures({ overview, reload }: { overview: Overview; reload: () => Promise<void> }): VNode {
  const { number } = useFormats()
  const place = useApp().router.place.value
  const { totals, uncounted } = overview
  const total = totals.find(({ currency }) => currency === place.query.get('currency')) ?? totals[0]
  const tabs = totals.map(({ currency }) => ({
    href: hrefWith(place, { currency }),
    words: currency,
    isCurrent: currency === total?.currency,
  }))
  return (
    <>
      {uncounted > MANY_UNCOUNTED && (
        <Notice tone="info">{overviewTexts.uncounted(number(uncounted))}</Notice>
      )}
      {tabs.length > 1 && <Tabs label={overviewTexts.currencies} tabs={tabs} />}
      {total && <OverviewTiles total={total} approvalRate={overview.approval_rate} />}
      <NeedsSection needs={overview.needs_attention} changed={reload} />
      {total ? (
        <Details overview={overview} currency={total.currency} />
      ) : (
        <EmptyState icon="overview" title={overviewTexts.nothing.title}>
          {overviewTexts.nothing.words}
        </EmptyState>
      )}
    </>
  )
}

/** Everything below the figures. It is rendered after they have been painted, so that slow devices show them sooner. */
function Details(of: { overview: Overview; currency: string }): VNode | null {
  const arePainted = useSignal(false)
  useEffect(() => {
    arePainted.value = true
  }, [])
  if (!arePainted.value) return null
  return (
    <>
      <TrendSection {...of} />
      <AuthenticationsSection {...of} />
      <SchemesSection {...of} />
      <DeclinesSection {...of} />
    </>
  )
}

/** How long the service mostly takes to count what has happened, in ms. */
const COUNTED_MS = 300
const LONGEST_PAUSE_MS = 30_000

const isUncounted = (state: ResourceState<Overview>) => state.kind === 'ready' && state.data.uncounted > 0

/** The overview of the days in the address; it is read again when something has happened. */
function useOverview(): { days: Days; overview: Resource<Overview> } {
  const { router, browser } = useApp()
  const { time_zone } = useView()
  const days = daysIn(router.place.value.query, () => dayOf(browser.now(), time_zone))
  // Without days in the address, they were fetched ahead where this is the first page of a visit.
  const query = days.chosen === null ? {} : { ...days.chosen, time_zone }
  const overview = useResource(pathWith('/api/overview', query), Overview)
  useLiveReload(() => true, overview.reload)
  useReloadUntilCounted(overview)
  return { days, overview }
}

/** Figures follow events: as long as a reading is too early for some, it is read again, after pauses that double. */
function useReloadUntilCounted({ state, reload }: Resource<Overview>): void {
  const pauseMs = useRef(COUNTED_MS)
  const now = state.value
  useEffect(() => {
    if (now.kind === 'ready' && now.isReloading) return
    if (!isUncounted(now)) {
      pauseMs.current = COUNTED_MS
      return
    }
    const timer = setTimeout(() => void reload(), pauseMs.current)
    pauseMs.current = Math.min(2 * pauseMs.current, LONGEST_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [now, reload])
}

const { declines: texts } = overviewTexts

type Decline = Overview['decline_reasons'][number]

const columnsOf = (all: number): readonly Column<Decline>[] => [
  { key: 'reason', title: texts.reason, cell: ({ words }) => words },
  { key: 'count', title: texts.count, cell: ({ count }) => <Count count={count} />, align: 'end' },
  { key: 'share', title: texts.share, cell: ({ count }) => <Share share={count / all} />, align: 'end' },
  {
    key: 'amount',
    title: texts.amount,
    cell: ({ cents, currency }) => <Money cents={cents} currency={currency} />,
    align: 'end',
  },
]

/** Why issuers declined, the most frequent reason first. */
function DeclinesSection({ overview, currency }: { overview: Overview; currency: string }): VNode {
  const rows = overview.decline_reasons.filter((row) => row.currency === currency)
  const all = rows.reduce((sum, { count }) => sum + count, 0)
  return (
    <Section title={texts.title}>
      {rows.length === 0 ? (
        <p class="soft">{texts.none}</p>
      ) : (
        <DataTable label={texts.title} columns={columnsOf(all)} rows={rows} keyOf={({ reason }) => reason} />
      )}
    </Section>
  )
}

function Share({ share }: { share: number }): VNode {
  return (
    <span class="rate">
      <meter min={0} max={1} value={share} aria-hidden="true" /> {useFormats().percent(share)}
    </span>
  )
}

/** How many days back the page offers to look. */
const PRESETS = [1, 7, 30, 90] as const
type Preset = (typeof PRESETS)[number]

const DAY_MS = 86_400_000

/** Days of an overview, both included; null: the service's default. `preset` is null for days that a person chose. */
interface Days {
  chosen: Pick<Overview, 'from' | 'to'> | null
  preset: Preset | null
}

/** The days that an address asks for: `from` and `to`, or the last `days` until today, which `todayIs` gives. */
function daysIn(query: URLSearchParams, todayIs: () => string): Days {
  const [from, to] = [query.get('from'), query.get('to')]
  if (from !== null || to !== null) {
    const last = to ?? todayIs()
    return { chosen: { from: from ?? daysBefore(last, USUAL_DAYS - 1), to: last }, preset: null }
  }
  const preset = PRESETS.find((days) => String(days) === query.get('days')) ?? USUAL_DAYS
  if (preset === USUAL_DAYS) return { chosen: null, preset }
  const today = todayIs()
  return { chosen: { from: daysBefore(today, preset - 1), to: today }, preset }
}

function daysBefore(day: string, days: number): string {
  const moment = Date.parse(`${day}T00:00:00Z`)
  return isNaN(moment) ? day : new Date(moment - days * DAY_MS).toISOString().slice(0, day.length)
}

const { tiles: tileTexts } = overviewTexts

const SHOWN = ['authorised', 'captured', 'refunded', 'declined'] as const

interface OverviewTilesProps {
  total: Overview['totals'][number]
  /** 0 to 1; null where no issuer was asked. */
  approvalRate: number | null
}

/** The figures of the days, of one currency. */
function OverviewTiles({ total, approvalRate }: OverviewTilesProps): VNode {
  const { percent } = useFormats()
  return (
    <section class="tiles" aria-label={tileTexts.title}>
      {SHOWN.map((name) => (
        <TallyTile key={name} name={tileTexts[name]} tally={total[name]} currency={total.currency} />
      ))}
      <Tile
        name={tileTexts.approval}
        detail={approvalRate === null ? tileTexts.none : tileTexts.approvalAbout}
      >
        {approvalRate === null ? '–' : percent(approvalRate)}
      </Tile>
    </section>
  )
}

function TallyTile({ name, tally, currency }: { name: string; tally: Tally; currency: string }): VNode {
  const { number } = useFormats()
  const { count, cents } = tally
  const detail = count < 0 ? tileTexts.undone(number(-count)) : tileTexts.charges(number(count), count === 1)
  return (
    <Tile name={name} detail={detail}>
      <Money cents={cents} currency={currency} />
    </Tile>
  )
}

function Tile({
  name,
  detail,
  children,
}: {
  name: string
  detail: string
  children: ComponentChildren
}): VNode {
  return (
    <div class="tile">
      <h2>{name}</h2>
      <p class="tile-figure">{children}</p>
      <p class="soft">{detail}</p>
    </div>
  )
}
