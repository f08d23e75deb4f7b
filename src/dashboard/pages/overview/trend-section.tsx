import type { VNode, RefObject } from 'preact'
import type { Overview } from '../../../contract/dashboard/overview.ts'
import { useApp, useFormats } from '../../app-context.ts'
import { Tabs } from '../../components/data/tabs.tsx'
import { Section } from '../../shell/section.tsx'
import { hrefWith } from '../../router/query.ts'
import { useRef } from 'preact/hooks'
import { overviewTexts } from './texts.ts'
import { LINES, valueOf, trendOf } from './trend.ts'
import type { TrendPoint, Measure } from './trend.ts'
import { useColours } from './chart/use-colours.ts'
import { useTrendChart } from './chart/use-trend.ts'
import type { Trend } from './chart/use-trend.ts'
import './chart/trend-chart.css'
import { DataTable } from '../../components/data/data-table.tsx'

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

const { trend: chartTexts } = overviewTexts

/** A chart of some lines over time. Its legend shows the figures at the pointer. */
function TrendChart(trend: Trend): VNode {
  const { points, measure, step } = trend
  const { date, dateTime } = useFormats()
  const place = useRef<HTMLDivElement>(null)
  const legend = useRef<HTMLDListElement>(null)
  const { pointed, isLost } = useTrendChart(place, trend, useColours(legend))
  const at = pointed.value === null ? undefined : points[pointed.value]
  const timeOf = ({ startsAt }: TrendPoint) => (step === 'day' ? date(startsAt) : dateTime(startsAt))
  const [from = '', to = ''] = [points[0], points.at(-1)].map((point) => point && timeOf(point))
  return (
    <figure class="trend-chart">
      <figcaption>
        <p class="soft">{at ? timeOf(at) : chartTexts.total}</p>
        <Legend list={legend} trend={trend} points={at ? [at] : points} />
      </figcaption>
      {isLost.value ? (
        <p class="soft">{chartTexts.failed}</p>
      ) : (
        <div
          ref={place}
          class="trend-canvas"
          role="img"
          aria-label={chartTexts.chart(chartTexts[measure], from, to)}
        />
      )}
    </figure>
  )
}

interface LegendProps {
  list: RefObject<HTMLDListElement | null>
  trend: Trend
  /** The points that are summed up. */
  points: readonly TrendPoint[]
}

function Legend({ list, trend: { measure, currency }, points }: LegendProps): VNode {
  const { money, number } = useFormats()
  return (
    <dl ref={list} class="trend-legend">
      {LINES.map((line) => {
        const sum = points.reduce((before, point) => before + valueOf(point[line], measure), 0)
        return (
          <div key={line} class={`line-${line}`}>
            <dt>
              <span class="line-mark" /> {tableTiles[line]}
            </dt>
            <dd>{measure === 'amount' ? money(sum, currency) : number(sum)}</dd>
          </div>
        )
      })}
    </dl>
  )
}

const { trend: tableTexts, tiles: tableTiles } = overviewTexts

interface TrendTableProps {
  points: readonly TrendPoint[]
  currency: string
  step: Overview['step']
}

/** The figures of the chart, the newest first. */
function TrendTable({ points, currency, step }: TrendTableProps): VNode {
  const { date, dateTime, money, number } = useFormats()
  const timeOf = step === 'day' ? date : dateTime
  const columns = [
    { key: 'time', title: tableTexts[step], cell: ({ startsAt }: TrendPoint) => timeOf(startsAt) },
    ...LINES.map((line) => ({
      key: line,
      title: tableTiles[line],
      cell: ({ [line]: { cents, count } }: TrendPoint) => `${money(cents, currency)} (${number(count)})`,
      align: 'end' as const,
    })),
  ]
  return (
    <DataTable
      label={tableTexts.title}
      columns={columns}
      rows={points.toReversed()}
      keyOf={({ startsAt }) => startsAt}
    />
  )
}
