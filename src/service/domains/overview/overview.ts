import type { Overview, OverviewQuery } from '../../../contract/dashboard/overview.ts'
import type { FindNeeds } from '../../platform/listing/needs-a-hand.ts'
import { periodsOf } from './periods.ts'
import { approvalRateOf, groupsOf, sumOf } from './sums.ts'
import type { CountedPeriod } from './sums.ts'

/** Why sales were declined. */
type Decline = Overview['decline_reasons'][number]

/** What charges were counted. Periods lie between two neighbours of `bounds`. */
export interface ChargeTallies {
  byPeriod: (merchantId: string, bounds: readonly Date[]) => Promise<CountedPeriod[]>
  declines: (merchantId: string, bounds: readonly Date[]) => Promise<Decline[]>
  /** Up to which sealed event they count. */
  countedTo: () => Promise<number>
}

export interface OverviewParts {
  tallies: ChargeTallies
  /** Of each domain that has something which may need somebody. */
  needs: readonly FindNeeds[]
  /** How many events there are in the audit log's chain. */
  sealedLength: () => Promise<number>
}

/** How a merchant's charges have gone over some days; throws `validation_error` for days that are none to be shown. */
export type ReadOverview = (merchantId: string, query: OverviewQuery) => Promise<Overview>

export function createReadOverview({ tallies, needs, sealedLength }: OverviewParts): ReadOverview {
  return async (merchantId, query) => {
    const { step, bounds } = periodsOf(query)
    const [counted, declines, countedTo, length, found] = await Promise.all([
      tallies.byPeriod(merchantId, bounds),
      tallies.declines(merchantId, bounds),
      tallies.countedTo(),
      sealedLength(),
      Promise.all(needs.map((find) => find(merchantId))),
    ])
    const { from, to, time_zone } = query
    return {
      from,
      to,
      time_zone,
      step,
      uncounted: Math.max(0, length - countedTo),
      approval_rate: approvalRateOf(counted),
      totals: totalsOf(counted),
      by_scheme: bySchemeOf(counted),
      decline_reasons: declines,
      series: seriesOf(bounds, counted),
      needs_a_hand: found.flat(),
    }
  }
}

function totalsOf(counted: readonly CountedPeriod[]): Overview['totals'] {
  return groupsOf(counted, ({ currency }) => currency).map(([currency, group]) => ({
    currency,
    ...sumOf(group),
  }))
}

function bySchemeOf(counted: readonly CountedPeriod[]): Overview['by_scheme'] {
  return groupsOf(counted, ({ scheme }) => scheme).flatMap(([scheme, group]) =>
    totalsOf(group).map((total) => ({
      scheme,
      approval_rate: approvalRateOf(group.filter(({ currency }) => currency === total.currency)),
      ...total,
    })),
  )
}

function seriesOf(bounds: readonly Date[], counted: readonly CountedPeriod[]): Overview['series'] {
  const periods = new Map(groupsOf(counted, ({ period }) => period))
  return bounds.slice(0, -1).map((bound, period) => ({
    starts_at: bound.toISOString(),
    currencies: totalsOf(periods.get(period) ?? []),
  }))
}
