import {
  OverviewQuery,
  MAX_DAYS,
  MAX_DAYS_BY_HOUR,
  USUAL_DAYS,
} from '../../../contract/dashboard/overview.ts'
import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import { answerCompressed } from '../../platform/http/answers/answer.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import type { Overview, Tally } from '../../../contract/dashboard/overview.ts'
import type { FindNeeds } from '../../platform/listing/needs-attention.ts'
import { Temporal } from 'temporal-polyfill'
import { invalidField } from '../../platform/errors.ts'

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

type Tallies = Record<
  | 'authorised'
  | 'captured'
  | 'refunded'
  | 'cancelled'
  | 'declined'
  | 'asked'
  | 'passed'
  | 'not_passed'
  | 'gave_up',
  Tally
>

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
    asked: sum('asked'),
    passed: sum('passed'),
    not_passed: sum('not_passed'),
    gave_up: sum('gave_up'),
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

type Step = NonNullable<OverviewQuery['step']>

/** Days of a time zone, both included; with a `step`, how they are to be cut. */
interface Days extends Pick<OverviewQuery, 'step'> {
  from: string
  to: string
  time_zone: string
}

/** How an overview cuts its time: each period lies between two neighbours of `bounds`. */
interface Periods {
  step: Step
  bounds: readonly Date[]
  /** The first of the bounds, and the last. */
  from: Date
  to: Date
}

/** The most days that are shown by the hour unless the request says otherwise. */
const DAYS_BY_HOUR = 2

/** The last days of a zone, up to today, at a moment in ms since the epoch. */
export function usualDays(nowMs: number, zone: string): Days {
  const today = Temporal.Instant.fromEpochMilliseconds(Math.floor(nowMs))
    .toZonedDateTimeISO(zone)
    .toPlainDate()
  return { from: today.subtract({ days: USUAL_DAYS - 1 }).toString(), to: today.toString(), time_zone: zone }
}

/**
 * The days or hours from the first day to the last, as clocks of the zone count them: a day may have 23 or 25 hours. Throws
 * `validation_error` where the last is before the first, or they are too many.
 */
export function periodsOf({ from, to, time_zone: zone, step: asked }: Days): Periods {
  const first = Temporal.PlainDate.from(from)
  const days = first.until(Temporal.PlainDate.from(to), { largestUnit: 'day' }).days + 1
  const step = asked ?? (days <= DAYS_BY_HOUR ? 'hour' : 'day')
  if (days < 1) throw invalidField('to', 'must not be before from')
  if (days > (step === 'hour' ? MAX_DAYS_BY_HOUR : MAX_DAYS))
    throw invalidField('to', 'is too long after from')
  const starts = startsOfDays(first, days + 1, zone)
  const bounds = step === 'day' ? starts : hoursIn(starts)
  return {
    step,
    bounds: bounds.map((epochMs) => new Date(epochMs)),
    from: new Date(Math.min(...starts)),
    to: new Date(Math.max(...starts)),
  }
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** When each of these days begins in a zone, in ms since the epoch. Its calendar is slow, so it is asked only where clocks may change. */
function startsOfDays(first: Temporal.PlainDate, count: number, zone: string): number[] {
  const starts: number[] = []
  let steadyUntil = -Infinity
  for (let day = 0; day < count; day += 1) {
    const next = (starts.at(-1) ?? 0) + DAY_MS
    if (next < steadyUntil) {
      starts.push(next)
    } else {
      const date = first.add({ days: day })
      const start = date.toZonedDateTime(zone)
      starts.push(start.epochMilliseconds)
      steadyUntil = endOfSteadyDays(date, start)
    }
  }
  return starts
}

/** Until when (ms since the epoch) each day begins 24 hours after the one before; -Infinity after a day without midnight. */
function endOfSteadyDays(date: Temporal.PlainDate, start: Temporal.ZonedDateTime): number {
  if (!start.toPlainDateTime().equals(date.toPlainDateTime())) return -Infinity
  return start.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity
}

/** Every hour of days that begin at these times, and the end of the last. */
function hoursIn(starts: readonly number[]): number[] {
  return starts.flatMap((start, at) => {
    const next = starts[at + 1]
    if (next === undefined) return [start]
    return Array.from({ length: Math.ceil((next - start) / HOUR_MS) }, (_, hour) => start + hour * HOUR_MS)
  })
}
