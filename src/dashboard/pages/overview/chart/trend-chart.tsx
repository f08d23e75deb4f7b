import { useRef } from 'preact/hooks'
import type { RefObject, VNode } from 'preact'
import { useFormats } from '../../../app-context.ts'
import { overviewTexts } from '../texts.ts'
import { LINES, valueOf } from '../trend.ts'
import type { TrendPoint } from '../trend.ts'
import { useColours } from './use-colours.ts'
import { useTrend } from './use-trend.ts'
import type { Trend } from './use-trend.ts'
import './trend-chart.css'

const { trend: texts, tiles } = overviewTexts

/** A chart of some lines over time. Its legend shows the figures at the pointer. */
export function TrendChart(trend: Trend): VNode {
  const { points, measure, step } = trend
  const { date, dateTime } = useFormats()
  const place = useRef<HTMLDivElement>(null)
  const legend = useRef<HTMLDListElement>(null)
  const { pointed, isLost } = useTrend(place, trend, useColours(legend))
  const at = pointed.value === null ? undefined : points[pointed.value]
  const timeOf = ({ startsAt }: TrendPoint) => (step === 'day' ? date(startsAt) : dateTime(startsAt))
  const [from = '', to = ''] = [points[0], points.at(-1)].map((point) => point && timeOf(point))
  return (
    <figure class="trend-chart">
      <figcaption>
        <p class="soft">{at ? timeOf(at) : texts.total}</p>
        <Legend list={legend} trend={trend} points={at ? [at] : points} />
      </figcaption>
      {isLost.value ? (
        <p class="soft">{texts.failed}</p>
      ) : (
        <div ref={place} class="trend-canvas" role="img" aria-label={texts.chart(texts[measure], from, to)} />
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
              <span class="line-mark" /> {tiles[line]}
            </dt>
            <dd>{measure === 'amount' ? money(sum, currency) : number(sum)}</dd>
          </div>
        )
      })}
    </dl>
  )
}
