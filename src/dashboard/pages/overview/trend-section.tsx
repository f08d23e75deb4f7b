import type { VNode } from 'preact'
import type { Overview } from '../../../contract/dashboard/overview.ts'
import { useApp } from '../../app-context.ts'
import { Tabs } from '../../components/data/tabs.tsx'
import { Section } from '../../shell/section.tsx'
import { hrefWith } from '../../router/query.ts'
import { TrendChart } from './chart/trend-chart.tsx'
import { overviewTexts } from './texts.ts'
import { TrendTable } from './trend-table.tsx'
import { trendOf } from './trend.ts'
import type { Measure } from './trend.ts'

const { trend: texts } = overviewTexts

interface TrendSectionProps {
  overview: Overview
  currency: string
}

/** What happened hour by hour or day by day: as a chart, and as a table. */
export function TrendSection({ overview, currency }: TrendSectionProps): VNode {
  const place = useApp().router.place.value
  const measure: Measure = place.query.get('measure') === 'count' ? 'count' : 'amount'
  const points = trendOf(overview, currency)
  const tabs = [
    { href: hrefWith(place, { measure: null }), words: texts.amount, isCurrent: measure === 'amount' },
    { href: hrefWith(place, { measure: 'count' }), words: texts.count, isCurrent: measure === 'count' },
  ]
  return (
    <Section title={texts.title}>
      <Tabs label={texts.measures} tabs={tabs} />
      <TrendChart points={points} measure={measure} currency={currency} step={overview.step} />
      <details class="trend-figures">
        <summary>{texts.table}</summary>
        <TrendTable points={points} currency={currency} step={overview.step} />
      </details>
    </Section>
  )
}
