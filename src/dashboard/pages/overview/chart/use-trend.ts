import { useSignal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { RefObject } from 'preact'
import type { Overview } from '../../../../contract/dashboard/overview.ts'
import { useFormats } from '../../../app-context.ts'
import type { Measure, TrendPoint } from '../trend.ts'
import type { ChartColours } from './use-colours.ts'

/** What a chart shows. */
export interface Trend {
  points: readonly TrendPoint[]
  measure: Measure
  currency: string
  step: Overview['step']
}

interface DrawnTrend {
  /** The index of the point at the pointer; null for none. */
  pointed: ReadonlySignal<number | null>
  /** Whether the code that draws could not be loaded. */
  isLost: ReadonlySignal<boolean>
}

/** Keeps a chart drawn in an element. The code that draws is loaded when it is first needed. */
export function useTrendChart(
  place: RefObject<HTMLElement | null>,
  { points, measure, currency, step }: Trend,
  colours: ChartColours | null,
): DrawnTrend {
  const { dayOfMonth, time, shortMoney, number } = useFormats()
  const pointed = useSignal<number | null>(null)
  const isLost = useSignal(false)
  useEffect(() => {
    const element = place.current
    if (colours === null || element === null) return
    const drawing = new AbortController()
    const draw = async () => {
      const { drawTrend } = await import('./draw-trend.ts')
      if (drawing.signal.aborted) return
      const remove = drawTrend({
        element,
        points,
        measure,
        colours,
        timeWords: step === 'day' ? dayOfMonth : time,
        valueWords: (value) => (measure === 'amount' ? shortMoney(value, currency) : number(value)),
        pointed: (index) => (pointed.value = index),
      })
      drawing.signal.addEventListener('abort', remove)
    }
    draw().catch(() => (isLost.value = true))
    return () => drawing.abort()
  }, [JSON.stringify(points), measure, currency, step, colours])
  return { pointed, isLost }
}
