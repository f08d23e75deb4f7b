import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { useApp, useFormats } from '../../app-context.ts'
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
import { DeclinesSection } from './declines-section.tsx'
import { NeedsSection } from './needs-section.tsx'
import { PRESETS, dayOf, daysIn } from './overview-days.ts'
import type { Preset, Days } from './overview-days.ts'
import { OverviewTiles } from './overview-tiles.tsx'
import { SchemesSection } from './schemes-section.tsx'
import { overviewTexts } from './texts.ts'
import { TrendSection } from './trend-section.tsx'
import { Overview } from '../../../contract/dashboard/overview.ts'
import { useLiveReload } from '../../live/use-live.ts'
import type { Resource } from '../../loading/resource.ts'
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
        {(data) => <Figures overview={data} />}
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

function Figures({ overview }: { overview: Overview }): VNode {
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
      <NeedsSection needs={overview.needs_attention} />
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
      <SchemesSection {...of} />
      <DeclinesSection {...of} />
    </>
  )
}

/** The overview of the days in the address; it is read again when something has happened. */
function useOverview(): { days: Days; overview: Resource<Overview> } {
  const { router, browser } = useApp()
  const { time_zone } = useView()
  const days = daysIn(router.place.value.query, () => dayOf(browser.now(), time_zone))
  // Without days in the address, they were fetched ahead where this is the first page of a visit.
  const query = days.chosen === null ? {} : { ...days.chosen, time_zone }
  const overview = useResource(pathWith('/api/overview', query), Overview)
  useLiveReload(
    () => true,
    () => void overview.reload(),
  )
  return { days, overview }
}
