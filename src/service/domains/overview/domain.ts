import { OverviewQuery } from '../../../contract/dashboard/overview.ts'
import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import { answerCompressed } from '../../platform/http/answers/answer.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import type { Overview, Tally } from '../../../contract/dashboard/overview.ts'
import type { FindNeeds } from '../../platform/listing/needs-attention.ts'
import { periodsOf, usualDays } from './periods.ts'
import type { Days } from './periods.ts'

interface OverviewNeeds extends OverviewDeps {
  /** The zone in which a person reads times; null if there is no such account. */
  timeZoneOf: (userId: string) => Promise<string | null>
}

/** The dashboard's first page: how a merchant's charges go, and what needs attention. */
export function overviewDomain(
  { timeOfDay }: Pick<Platform, 'timeOfDay'>,
  { timeZoneOf, ...deps }: OverviewNeeds,
): Domain<null> {
  return {
    api: null,
    addRoutes: noRoutes,
    addDashboardRoutes(app, { sessionOf }) {
      app.get('/api/overview', { config: { permission: 'read' } }, async (request, reply) => {
        const { merchantId, user } = sessionOf(request)
        const query = decode(OverviewQuery, request.query)
        const zone = query.time_zone ?? (await timeZoneOf(user.id)) ?? 'UTC'
        const usual = usualDays(timeOfDay.epochMs(), zone)
        const { from = usual.from, to = usual.to, step } = query
        const overview = await readOverview(deps, merchantId, { from, to, step, time_zone: zone })
        return answerCompressed(request, reply, 'overview', overview)
      })
    },
    jobs: [],
  }
}

type Tallies = Record<'authorised' | 'captured' | 'refunded' | 'cancelled' | 'declined', Tally>

/** What was counted of one currency. */
interface OfCurrency extends Readonly<Tallies> {
  currency: string
}

interface OfPeriod {
  period: number
  tallies: OfCurrency
}

/** The tallies of charges, by moments on a quarter hour. */
interface ChargeTallies {
  /** Of each period between two neighbours of `bounds`, counted from 0; by currency within one. Periods without a charge are left out. */
  byPeriod: (merchantId: string, bounds: readonly Date[]) => Promise<OfPeriod[]>
  byScheme: (merchantId: string, from: Date, to: Date) => Promise<(OfCurrency & { scheme: string })[]>
  declines: (merchantId: string, from: Date, to: Date) => Promise<Overview['decline_reasons']>
  /** The number of the last event in the audit log's chain that they count. */
  countedTo: () => Promise<number>
}

interface OverviewDeps {
  tallies: ChargeTallies
  /** One for each domain in which something may need attention. */
  needs: readonly FindNeeds[]
  /** How many events the audit log's chain has. */
  sealedLength: () => Promise<number>
}

/** How a merchant's charges went over some days; throws `validation_error` for days that can't be shown. */
async function readOverview(
  { tallies, needs, sealedLength }: OverviewDeps,
  merchantId: string,
  days: Days,
): Promise<Overview> {
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

function sumOf(counted: readonly Readonly<Tallies>[]): Tallies {
  const sum = (kind: keyof Tallies): Tally =>
    counted.reduce(
      ({ count, cents }, one) => ({ count: count + one[kind].count, cents: cents + one[kind].cents }),
      { count: 0, cents: 0 },
    )
  return {
    authorised: sum('authorised'),
    captured: sum('captured'),
    refunded: sum('refunded'),
    cancelled: sum('cancelled'),
    declined: sum('declined'),
  }
}

/** The share of answered sales that issuers approved, 0 to 1; null if there were none. */
function approvalRateOf(counted: readonly Readonly<Tallies>[]): number | null {
  const { authorised, declined } = sumOf(counted)
  const answered = authorised.count + declined.count
  return answered === 0 ? null : authorised.count / answered
}

/** Things grouped by a key, in the order of the keys. */
function groupsOf<Thing, Key extends string | number>(
  things: readonly Thing[],
  keyOf: (thing: Thing) => Key,
): [Key, Thing[]][] {
  const groups = new Map<Key, Thing[]>()
  for (const thing of things) {
    const group = groups.get(keyOf(thing))
    if (group === undefined) groups.set(keyOf(thing), [thing])
    else group.push(thing)
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1))
}
