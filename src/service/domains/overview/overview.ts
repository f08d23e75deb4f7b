import type { Overview } from '../../../contract/dashboard/overview.ts'
import type { FindNeeds } from '../../platform/listing/needs-attention.ts'
import { periodsOf } from './periods.ts'
import type { Days } from './periods.ts'
import { approvalRateOf, groupsOf, sumOf } from './sums.ts'
import type { OfCurrency } from './sums.ts'

interface OfPeriod {
  period: number
  tallies: OfCurrency
}

/** What charges were counted, in moments on a quarter hour. */
export interface ChargeTallies {
  /** Of each period between two neighbours of `bounds`, counted from 0, in which something happened; by currency within one. */
  byPeriod: (merchantId: string, bounds: readonly Date[]) => Promise<OfPeriod[]>
  byScheme: (merchantId: string, from: Date, to: Date) => Promise<(OfCurrency & { scheme: string })[]>
  declines: (merchantId: string, from: Date, to: Date) => Promise<Overview['decline_reasons']>
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

/** How a merchant's charges have gone over some days; throws `validation_error` for days that can't be shown. */
export type ReadOverview = (merchantId: string, days: Days) => Promise<Overview>

export function createReadOverview({ tallies, needs, sealedLength }: OverviewParts): ReadOverview {
  return async (merchantId, days) => {
    const { step, bounds, from, to } = periodsOf(days)
    const [periods, schemes, declines, countedTo, length, found] = await Promise.all([
      tallies.byPeriod(merchantId, bounds),
      tallies.byScheme(merchantId, from, to),
      tallies.declines(merchantId, from, to),
      tallies.countedTo(),
      sealedLength(),
      Promise.all(needs.map((find) => find(merchantId))),
    ])
    const counted = periods.map(({ tallies }) => tallies)
    return {
      from: days.from,
      to: days.to,
      time_zone: days.time_zone,
      step,
      uncounted: Math.max(0, length - countedTo),
      approval_rate: approvalRateOf(counted),
      totals: totalsOf(counted),
      by_scheme: schemes.map((scheme) => ({ ...scheme, approval_rate: approvalRateOf([scheme]) })),
      decline_reasons: declines,
      series: seriesOf(bounds, periods),
      needs_attention: found.flat(),
    }
  }
}

function totalsOf(counted: readonly OfCurrency[]): Overview['totals'] {
  return groupsOf(counted, ({ currency }) => currency).map(([currency, group]) => ({
    currency,
    ...sumOf(group),
  }))
}

function seriesOf(bounds: readonly Date[], counted: readonly OfPeriod[]): Overview['series'] {
  const periods = new Map(groupsOf(counted, ({ period }) => period))
  return bounds.slice(0, -1).map((bound, period) => ({
    starts_at: bound.toISOString(),
    currencies: (periods.get(period) ?? []).map(({ tallies }) => tallies),
  }))
}
