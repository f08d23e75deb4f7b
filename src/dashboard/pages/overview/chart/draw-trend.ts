import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { LINES, rangeOf, valueOf } from '../trend.ts'
import type { LineName, Measure, TrendPoint } from '../trend.ts'
import type { ChartColours } from './use-colours.ts'

interface TrendParts {
  element: HTMLElement
  points: readonly TrendPoint[]
  measure: Measure
  colours: ChartColours
  /** A time along the axis, in words. */
  timeWords: (time: string) => string
  /** A figure along the axis, in words. */
  valueWords: (value: number) => string
  /** Called with the point at the pointer; null for none. */
  pointed: (index: number | null) => void
}

/** Dashes tell lines apart where colours do not. */
const DASHES: Readonly<Record<LineName, number[]>> = {
  authorised: [],
  captured: [8, 3],
  refunded: [2, 3],
  declined: [8, 3, 2, 3],
}

const HEIGHT = 260
/** Room for a time along the axis, in CSS pixels. */
const TIME_WIDTH = 74

/** Draws a chart into an element and keeps it as wide as that; the returned function takes it away. */
export function drawTrend(parts: TrendParts): () => void {
  const { element, points, measure } = parts
  const times = points.map(({ startsAt }) => Date.parse(startsAt) / 1000)
  const lines = LINES.map((line) => points.map((point) => valueOf(point[line], measure)))
  const chart = new UPlot(optionsOf(parts), [times, ...lines], element)
  const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }))
  observer.observe(element)
  return () => {
    observer.disconnect()
    chart.destroy()
  }
}

function optionsOf({ element, points, colours, timeWords, valueWords, pointed }: TrendParts): UPlot.Options {
  const axis = { stroke: colours.words, grid: { stroke: colours.grid, width: 1 }, ticks: { show: false } }
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: { x: { time: true }, y: { range: (_chart, least, most) => rangeOf(least, most) } },
    hooks: { setCursor: [({ cursor }) => pointed(cursor.idx ?? null)] },
    axes: [
      {
        ...axis,
        grid: { show: false },
        splits: () => splitsOf(points, element.clientWidth),
        values: (_, splits) => splits.map((at) => timeWords(new Date(at * 1000).toISOString())),
      },
      { ...axis, size: 78, values: (_, splits) => splits.map(valueWords) },
    ],
    series: [
      {},
      ...LINES.map((line) => ({
        stroke: colours.lines[line],
        width: 2,
        dash: DASHES[line],
        points: { show: points.length === 1 },
      })),
    ],
  }
}

/** The points of time that have words along the axis: as many as there is room for, each the beginning of an hour or day. */
function splitsOf(points: readonly TrendPoint[], width: number): number[] {
  const every = Math.max(1, Math.ceil((points.length * TIME_WIDTH) / Math.max(width, TIME_WIDTH)))
  return points.filter((_, index) => index % every === 0).map(({ startsAt }) => Date.parse(startsAt) / 1000)
}
