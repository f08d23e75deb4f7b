import type { Database } from '../../platform/database/database.ts'
import { arrayOf, bigint, integer, text, textOf } from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { DeclineReason } from '../gateways/gateway.ts'
import { attemptRefusalOf } from './refusal.ts'

/**
 * What is counted. `authorised`: sales that the issuer approved, held or captured at once; `declined`: those that it declined. `asked`: sales
 * whose card holder the bank has asked; of these `passed`, `not_passed` (the bank could not confirm that it was them) and `gave_up` (they
 * cancelled, or let the time pass).
 */
export const TALLY_KINDS = [
  'authorised',
  'captured',
  'refunded',
  'cancelled',
  'declined',
  'asked',
  'passed',
  'not_passed',
  'gave_up',
] as const
export type TallyKind = (typeof TALLY_KINDS)[number]

/** How many there were, and their sum in cents. */
interface Tally {
  count: number
  cents: number
}
type Tallies = Readonly<Record<TallyKind, Tally>>

type OfCurrency = Tallies & { currency: string }

/**
 * A merchant's tallies of each period between two neighbours of `bounds` (on a quarter hour), counted from 0; by currency within one. Periods
 * in which nothing happened are left out.
 */
export async function sumByPeriod(
  database: Database,
  merchantId: string,
  bounds: readonly Date[],
): Promise<{ period: number; tallies: OfCurrency }[]> {
  const minutes = bounds.map(minuteOf)
  const values = { merchant_id: merchantId, bounds: minutes, ...periodsBetween(minutes) }
  return (await database.run(sumPeriods, values))
    .filter(({ period }) => period >= 0 && period < bounds.length - 1)
    .map((row) => ({ period: row.period, tallies: toTallies(row) }))
}

/** A merchant's tallies of each scheme between two moments on a quarter hour. */
export async function sumByScheme(
  database: Database,
  merchantId: string,
  from: Date,
  to: Date,
): Promise<(OfCurrency & { scheme: string })[]> {
  const rows = await database.run(sumSchemes, toRangeValues(merchantId, from, to))
  return rows.map((row) => ({ scheme: row.scheme, ...toTallies(row) }))
}

interface Declines {
  reason: DeclineReason
  /** The reason in words for the merchant. */
  words: string
  currency: string
  count: number
  cents: number
}

/** Why a merchant's sales were declined between two moments on a quarter hour, the most frequent reason first. */
export async function sumByDeclineReason(
  database: Database,
  merchantId: string,
  from: Date,
  to: Date,
): Promise<Declines[]> {
  const rows = await database.run(sumDeclines, toRangeValues(merchantId, from, to))
  return rows.map((row) => ({ ...row, words: wordsOf(row.reason) }))
}

/** The number of the last event in the audit log's chain that is counted. */
export async function countedTo(database: Database): Promise<number> {
  const [progress] = await database.run(selectProgress, {})
  if (progress === undefined) throw new Error('the row of charge_tally_progress was deleted')
  return progress.seq
}

/** Events that are counted in one statement, and statements of one run of the job. */
const BATCH = 2000
const MAX_BATCHES = 100

/**
 * Counts the events that joined the chain since, in its order. Any number of processes may do this at once, and any may be killed: each event
 * is counted once. `sealedLength`: how many events the chain has.
 */
export async function countNewEvents(database: Database, sealedLength: () => Promise<number>): Promise<void> {
  const length = await sealedLength()
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const from = await countedTo(database)
    const to = Math.min(from + BATCH, length)
    if (to <= from) return
    const isMine = (await database.run(countEvents, { from_seq: from, to_seq: to })).length > 0
    if (!isMine) return
  }
}

/** Deletes all counts, so that running services count again from the start; the statements' order keeps out a count under way. */
export async function recountFromNothing(database: Database): Promise<void> {
  await database.transaction(async (queries) => {
    await queries.script("UPDATE charge_tally_progress SET seq = 0 WHERE name = 'charges'")
    await queries.script('DELETE FROM charge_tallies; DELETE FROM charge_declines')
  })
}

const minuteOf = (moment: Date) => moment.getTime() / 60_000

function toRangeValues(merchantId: string, from: Date, to: Date) {
  const ranges = rangesBetween(minuteOf(from), minuteOf(to))
  return {
    merchant_id: merchantId,
    spans: ranges.map(({ spanMinutes }) => spanMinutes),
    from_minutes: ranges.map(({ fromMinute }) => fromMinute),
    to_minutes: ranges.map(({ toMinute }) => toMinute),
  }
}

function wordsOf(declineReason: DeclineReason): string {
  return attemptRefusalOf({ type: 'sale', outcome: 'declined', declineReason })?.message ?? declineReason
}

function toTallies(row: SumRow & { currency: string }): OfCurrency {
  return {
    currency: row.currency,
    authorised: { count: row.authorised_count, cents: row.authorised_cents },
    captured: { count: row.captured_count, cents: row.captured_cents },
    refunded: { count: row.refunded_count, cents: row.refunded_cents },
    cancelled: { count: row.cancelled_count, cents: row.cancelled_cents },
    declined: { count: row.declined_count, cents: row.declined_cents },
    asked: { count: row.asked_count, cents: row.asked_cents },
    passed: { count: row.passed_count, cents: row.passed_cents },
    not_passed: { count: row.not_passed_count, cents: row.not_passed_cents },
    gave_up: { count: row.gave_up_count, cents: row.gave_up_cents },
  }
}

/** The spans for which tallies are kept, in minutes since the epoch (UTC). Every zone's offset from UTC is a multiple of the last. */
export const SPANS_MINUTES = [1440, 60, 15] as const
/** The spans in which all schemes are counted together; the overview's periods are put together of these. */
export const WHOLE_SPANS_MINUTES = [360, 60, 15] as const

/** A time range covered by spans of one length; its ends are minutes since the epoch. */
interface Range {
  spanMinutes: (typeof SPANS_MINUTES)[number]
  fromMinute: number
  toMinute: number
}

/** The time between two minutes on the quarter hour, in order, covered by as few spans as possible. */
export function rangesBetween(from: number, to: number): Range[] {
  const ranges: Range[] = []
  let last: Range | undefined
  for (let minute = from; minute < to; minute = last.toMinute) {
    const spanMinutes = SPANS_MINUTES.find((span) => minute % span === 0 && minute + span <= to)
    if (spanMinutes === undefined) throw new Error(`no quarter hour begins at minute ${String(minute)}`)
    if (last?.spanMinutes === spanMinutes) last.toMinute += spanMinutes
    else {
      last = { spanMinutes, fromMinute: minute, toMinute: minute + spanMinutes }
      ranges.push(last)
    }
  }
  return ranges
}

/**
 * How periods are put together of spans of six hours: period n first gets what happened between marks n and n + 1. Then each of the `hours`
 * and `quarters` (of an hour) is moved from the period between its marks to the one between its bounds. All are minutes since the epoch.
 */
interface MarkedPeriods {
  marks: number[]
  hours: number[]
  quarters: number[]
}

const [SIX_HOURS, HOUR, QUARTER] = WHOLE_SPANS_MINUTES

/**
 * The periods between neighbours of `bounds` (ascending minutes on the quarter hour). The mark of each bound is the nearest multiple of six
 * hours, so a day that begins at 13:00 takes 5 tallies instead of 24.
 */
export function periodsBetween(bounds: readonly number[]): MarkedPeriods {
  const marks = bounds.map((bound) => Math.round(bound / SIX_HOURS) * SIX_HOURS)
  const hours: number[] = []
  const quarters: number[] = []
  const edges = [...new Set([...bounds, ...marks])].toSorted((one, other) => one - other)
  let boundsBefore = 0
  let marksBefore = 0
  for (const [at, from] of edges.entries()) {
    while ((bounds[boundsBefore] ?? Infinity) <= from) boundsBefore += 1
    while ((marks[marksBefore] ?? Infinity) <= from) marksBefore += 1
    if (boundsBefore === marksBefore) continue
    const to = edges[at + 1] ?? from
    for (let minute = from; minute < to;) {
      const isHour = minute % HOUR === 0 && minute + HOUR <= to
      if (isHour) hours.push(minute)
      else quarters.push(minute)
      minute += isHour ? HOUR : QUARTER
    }
  }
  return { marks, hours, quarters }
}

/**
 * Which events count as what. Every event of a charge is about one attempt: its facts name it, its outcome and its amount. What a gateway undoes
 * later is subtracted at that time: the period in which it counted stays as it was.
 */
const COUNTS_AS: Readonly<Record<TallyKind, string>> = {
  authorised: "attempt = 'sale' AND outcome = 'approved'",
  captured: "type = 'charge.captured'",
  refunded: "type = 'charge.refunded'",
  cancelled: "type IN ('charge.cancelled', 'charge.expired')",
  // Of a sale that its card holder gave up the issuer was never asked.
  declined: "attempt = 'sale' AND outcome = 'declined' AND type <> 'charge.not_authenticated'",
  asked: "type = 'charge.authentication_required'",
  passed: "type = 'charge.authenticated' AND asked_by IS NOT NULL",
  not_passed: "type = 'charge.failed' AND reason = 'authentication_failed' AND asked_by IS NOT NULL",
  gave_up: "type = 'charge.not_authenticated' AND asked_by IS NOT NULL",
}
const UNDOES: Readonly<Partial<Record<TallyKind, string>>> = {
  captured: "attempt = 'reversal' AND reverses IN ('sale', 'capture')",
  refunded: "attempt = 'reversal' AND reverses = 'refund'",
  cancelled: "attempt = 'reversal' AND reverses = 'cancel'",
}
const countAndSum = (condition: string) => [
  `count(*) FILTER (WHERE ${condition})`,
  `coalesce(sum(cents) FILTER (WHERE ${condition}), 0)`,
]
const sums = TALLY_KINDS.flatMap((kind) => {
  const undone = UNDOES[kind]
  const added = countAndSum(COUNTS_AS[kind])
  return undone === undefined
    ? added
    : countAndSum(undone).map((subtracted, at) => `${added[at] ?? ''} - ${subtracted}`)
})
const columns = TALLY_KINDS.flatMap((kind) => [`${kind}_count`, `${kind}_cents`])
const added = (table: string, names: readonly string[]) =>
  names.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')

const rowsOf = (spans: readonly number[], ...others: string[]) =>
  spans.map((minutes) => `(${[String(minutes), ...others].join(', ')})`).join(', ')
const SPANS = `(VALUES ${rowsOf(SPANS_MINUTES)}) AS spans (span_minutes)`
const ALL_SPANS = `(VALUES ${rowsOf(WHOLE_SPANS_MINUTES, 'true')}, ${rowsOf(SPANS_MINUTES, 'false')}) AS spans (span_minutes, is_all_schemes)`
const STARTS_AT =
  'to_timestamp(floor(extract(epoch FROM created_at) / (60 * span_minutes)) * 60 * span_minutes)'

const selectProgress = statement({
  name: 'read_charge_tally_progress',
  values: {},
  columns: { seq: bigint },
  sql: "SELECT seq FROM charge_tally_progress WHERE name = 'charges'",
})

/** Whether there are events that are not counted, in SQL. Reads the last event by its index; `EXISTS` might read all events. */
export const ARE_UNCOUNTED = `
  coalesce((SELECT seq FROM events ORDER BY seq DESC LIMIT 1), 0)
    > coalesce((SELECT seq FROM charge_tally_progress WHERE name = 'charges'), 0)`

/** Adds the events between two places of the audit log's chain to the tallies; no row if another process has added them. */
export const countEvents = statement({
  name: 'count_charge_events',
  values: { from_seq: bigint, to_seq: bigint },
  columns: { seq: bigint },
  sql: `
    WITH turn AS (
      UPDATE charge_tally_progress SET seq = :to_seq WHERE name = 'charges' AND seq = :from_seq RETURNING seq
    ), happened AS (
      SELECT e.merchant_id, e.type, e.created_at, e.facts ->> 'attempt' AS attempt, e.facts ->> 'outcome' AS outcome,
             e.facts ->> 'currency' AS currency, (e.facts ->> 'amount')::bigint AS cents,
             e.facts ->> 'decline_reason' AS reason, e.facts ->> 'reverses' AS reverses, e.facts ->> 'asked_by' AS asked_by,
             coalesce(c.scheme, 'unknown') AS scheme
      FROM turn CROSS JOIN events e LEFT JOIN LATERAL (
        SELECT payment_source ->> 'card_scheme' AS scheme FROM charges WHERE id = e.subject LIMIT 1
      ) c ON true
      WHERE e.seq > :from_seq AND e.seq <= :to_seq AND e.type LIKE 'charge.%'
    ), tallied AS (
      INSERT INTO charge_tallies (merchant_id, span_minutes, is_all_schemes, starts_at, currency, scheme, ${columns.join(', ')})
      SELECT merchant_id, span_minutes, is_all_schemes, ${STARTS_AT} AS starts_at, currency,
             CASE WHEN is_all_schemes THEN 'all' ELSE scheme END AS scheme_or_all, ${sums.join(', ')}
      FROM happened CROSS JOIN ${ALL_SPANS}
      WHERE ${[...Object.values(COUNTS_AS), ...Object.values(UNDOES)]
        .map((condition) => `(${condition})`)
        .join(' OR ')}
      GROUP BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (merchant_id, span_minutes, is_all_schemes, starts_at, currency, scheme)
        DO UPDATE SET ${added('charge_tallies', columns)}
    ), declined AS (
      INSERT INTO charge_declines (merchant_id, span_minutes, starts_at, currency, reason, count, cents)
      SELECT merchant_id, span_minutes, ${STARTS_AT} AS starts_at, currency, coalesce(reason, 'do_not_honour') AS reason,
             count(*), sum(cents)
      FROM happened CROSS JOIN ${SPANS} WHERE ${COUNTS_AS.declined}
      GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (merchant_id, span_minutes, starts_at, currency, reason)
        DO UPDATE SET ${added('charge_declines', ['count', 'cents'])}
    )
    SELECT seq FROM turn`,
})

/** Time ranges, in minutes since the epoch, which are quicker to read than dates. */
const rangeTypes = {
  merchant_id: text,
  spans: arrayOf(integer),
  from_minutes: arrayOf(integer),
  to_minutes: arrayOf(integer),
}
const RANGES = `unnest(:spans::integer[], :from_minutes::integer[], :to_minutes::integer[])
  AS range (span_minutes, from_minute, to_minute)`
const IN_RANGE = `
  merchant_id = :merchant_id AND span_minutes = range.span_minutes
  AND starts_at >= to_timestamp(60 * range.from_minute::float8) AND starts_at < to_timestamp(60 * range.to_minute::float8)`

const sumColumns = {
  authorised_count: bigint,
  authorised_cents: bigint,
  captured_count: bigint,
  captured_cents: bigint,
  refunded_count: bigint,
  refunded_cents: bigint,
  cancelled_count: bigint,
  cancelled_cents: bigint,
  declined_count: bigint,
  declined_cents: bigint,
  asked_count: bigint,
  asked_cents: bigint,
  passed_count: bigint,
  passed_cents: bigint,
  not_passed_count: bigint,
  not_passed_cents: bigint,
  gave_up_count: bigint,
  gave_up_cents: bigint,
}
type SumRow = ValuesOf<typeof sumColumns>
const SUMS = columns.map((name) => `sum(${name})::bigint AS ${name}`).join(', ')

const periodTypes = {
  merchant_id: text,
  bounds: arrayOf(integer),
  marks: arrayOf(integer),
  hours: arrayOf(integer),
  quarters: arrayOf(integer),
}
const momentsOf = (minutes: string) =>
  `ARRAY(SELECT to_timestamp(60 * minute::float8) FROM unnest(:${minutes}::integer[]) minute)`
const periodBy = (places: 'bounds' | 'marks') => `width_bucket(starts_at, (SELECT ${places} FROM given)) - 1`
/** The tallies that begin at these minutes, with the period that loses them and the one that gets them. */
const moved = (span: number, minutes: 'hours' | 'quarters') => `
  SELECT ${periodBy('bounds')} AS added_to, ${periodBy('marks')} AS taken_from, currency, ${columns.join(', ')}
  FROM charge_tallies
  WHERE merchant_id = :merchant_id AND span_minutes = ${String(span)} AND is_all_schemes AND starts_at = ANY (${momentsOf(minutes)})`

/** Tallies of each period as `MarkedPeriods` describes, also of the time before the first period (-1) and after the last. */
export const sumPeriods = statement({
  name: 'sum_charge_tallies_of_periods',
  values: periodTypes,
  columns: { period: integer, currency: text, ...sumColumns },
  sql: `
    WITH given AS MATERIALIZED (SELECT ${momentsOf('bounds')} AS bounds, ${momentsOf('marks')} AS marks),
    moved AS MATERIALIZED (${moved(HOUR, 'hours')} UNION ALL ${moved(QUARTER, 'quarters')}),
    counted AS (
      SELECT ${periodBy('marks')} AS period, currency, ${columns.join(', ')}
      FROM charge_tallies WHERE merchant_id = :merchant_id AND span_minutes = ${String(SIX_HOURS)} AND is_all_schemes
        AND starts_at >= (SELECT marks[1] FROM given) AND starts_at < (SELECT marks[cardinality(marks)] FROM given)
      UNION ALL
      SELECT added_to, currency, ${columns.join(', ')} FROM moved
      UNION ALL
      SELECT taken_from, currency, ${columns.map((name) => `-${name}`).join(', ')} FROM moved
    )
    SELECT period, currency, ${SUMS} FROM counted GROUP BY 1, 2
    HAVING ${TALLY_KINDS.map((kind) => `sum(${kind}_count) <> 0`).join(' OR ')}
    ORDER BY 1, 2`,
})

export const sumSchemes = statement({
  name: 'sum_charge_tallies_of_schemes',
  values: rangeTypes,
  columns: { scheme: text, currency: text, ...sumColumns },
  sql: `
    SELECT scheme, currency, ${SUMS}
    FROM ${RANGES} CROSS JOIN LATERAL (
      SELECT * FROM charge_tallies WHERE ${IN_RANGE} AND NOT is_all_schemes OFFSET 0
    ) tallies GROUP BY 1, 2 ORDER BY 1, 2`,
})

export const sumDeclines = statement({
  name: 'sum_charge_declines',
  values: rangeTypes,
  columns: { currency: text, reason: textOf<DeclineReason>(), count: bigint, cents: bigint },
  sql: `
    SELECT currency, reason, sum(count)::bigint AS count, sum(cents)::bigint AS cents
    FROM ${RANGES} CROSS JOIN LATERAL (
      SELECT * FROM charge_declines WHERE ${IN_RANGE} OFFSET 0
    ) declines GROUP BY 1, 2 ORDER BY 3 DESC, 2`,
})
