import type { Overview, Tally } from '../../../contract/dashboard/overview.ts'

/** What the chart has a line for, in the order of the legend. */
export const LINES = ['authorised', 'captured', 'refunded', 'declined'] as const
export type LineName = (typeof LINES)[number]

/** Whether the chart shows how much money, or how many times. */
export type Measure = 'amount' | 'count'

/** What happened in one hour or day, of one currency. */
export interface TrendPoint extends Readonly<Record<LineName, Tally>> {
  /** ISO 8601. */
  startsAt: string
}

const NOTHING: Tally = { count: 0, cents: 0 }

/** The points of a chart; an hour or day in which nothing happened has zeros. */
export function trendOf({ series }: Pick<Overview, 'series'>, currency: string): readonly TrendPoint[] {
  return series.map(({ starts_at: startsAt, currencies }) => {
    const own = currencies.find((one) => one.currency === currency)
    const { authorised = NOTHING, captured = NOTHING, refunded = NOTHING, declined = NOTHING } = own ?? {}
    return { startsAt, authorised, captured, refunded, declined }
  })
}

/** What a point has of a line, in units of the measure: cents or times. */
export function valueOf(tally: Tally, measure: Measure): number {
  return measure === 'amount' ? tally.cents : tally.count
}

/** What the axis of figures covers: from zero, or below it where more was undone in a period than done; with some room at the ends. */
export function rangeOf(least: number | null, most: number | null): [number, number] {
  return [Math.min((least ?? 0) * 1.08, 0), Math.max((most ?? 0) * 1.08, 1)]
}
