import { arrayOf, bigint, bool, integer, text, textOf } from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { DeclineReason } from '../../gateways/gateway.ts'
import { SPANS_MINUTES, TALLY_KINDS, WHOLE_SPANS_MINUTES } from './tally.ts'
import type { TallyKind } from './tally.ts'

/** Which events count as what. Every event of a charge is about one attempt: its facts name it, its outcome and its amount. */
const COUNTS_AS: Readonly<Record<TallyKind, string>> = {
  authorised: "attempt = 'sale' AND outcome = 'approved'",
  captured: "type = 'charge.captured'",
  refunded: "type = 'charge.refunded'",
  cancelled: "type IN ('charge.cancelled', 'charge.expired')",
  declined: "attempt = 'sale' AND outcome = 'declined'",
}
const sums = TALLY_KINDS.flatMap((kind) => [
  `count(*) FILTER (WHERE ${COUNTS_AS[kind]})`,
  `coalesce(sum(cents) FILTER (WHERE ${COUNTS_AS[kind]}), 0)`,
])
const columns = TALLY_KINDS.flatMap((kind) => [`${kind}_count`, `${kind}_cents`])
const added = (table: string, names: readonly string[]) =>
  names.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')

const rowsOf = (spans: readonly number[], ...others: string[]) =>
  spans.map((minutes) => `(${[String(minutes), ...others].join(', ')})`).join(', ')
const SPANS = `(VALUES ${rowsOf(SPANS_MINUTES)}) AS spans (span_minutes)`
const ALL_SPANS = `(VALUES ${rowsOf(WHOLE_SPANS_MINUTES, 'true')}, ${rowsOf(SPANS_MINUTES, 'false')}) AS spans (span_minutes, is_whole)`
const STARTS_AT =
  'to_timestamp(floor(extract(epoch FROM created_at) / (60 * span_minutes)) * 60 * span_minutes)'

export const readProgress = statement({
  name: 'read_charge_tally_progress',
  values: {},
  columns: { seq: bigint },
  sql: "SELECT seq FROM charge_tally_progress WHERE name = 'charges'",
})

/** Whether there are sealed events that are not counted. The last one is read by its index; by `EXISTS` all events may be read. */
export const seeUncounted = statement({
  name: 'see_uncounted_charge_events',
  values: {},
  columns: { is_behind: bool },
  sql: `
    SELECT coalesce((SELECT seq FROM events ORDER BY seq DESC LIMIT 1), 0)
      > coalesce((SELECT seq FROM charge_tally_progress WHERE name = 'charges'), 0) AS is_behind`,
})

/**
 * Counts the sealed events between two places of the chain and records the new place, in one statement. No row: another process
 * has counted them.
 */
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
             e.facts ->> 'decline_reason' AS reason, coalesce(c.scheme, 'unknown') AS scheme
      FROM turn CROSS JOIN events e LEFT JOIN LATERAL (
        SELECT payment_source ->> 'card_scheme' AS scheme FROM charges WHERE id = e.subject LIMIT 1
      ) c ON true
      WHERE e.seq > :from_seq AND e.seq <= :to_seq AND e.type LIKE 'charge.%'
    ), tallied AS (
      INSERT INTO charge_tallies (merchant_id, span_minutes, is_whole, starts_at, currency, scheme, ${columns.join(', ')})
      SELECT merchant_id, span_minutes, is_whole, ${STARTS_AT} AS starts_at, currency,
             CASE WHEN is_whole THEN 'all' ELSE scheme END AS scheme_or_all, ${sums.join(', ')}
      FROM happened CROSS JOIN ${ALL_SPANS}
      WHERE ${Object.values(COUNTS_AS)
        .map((condition) => `(${condition})`)
        .join(' OR ')}
      GROUP BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (merchant_id, span_minutes, is_whole, starts_at, currency, scheme)
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

/** Stretches of time; their ends are minutes since 1970, which are quicker to read than dates. */
const stretchTypes = {
  merchant_id: text,
  spans: arrayOf(integer),
  from_minutes: arrayOf(integer),
  to_minutes: arrayOf(integer),
}
const STRETCHES = `unnest(:spans::integer[], :from_minutes::integer[], :to_minutes::integer[])
  AS stretch (span_minutes, from_minute, to_minute)`
const IN_STRETCH = `
  merchant_id = :merchant_id AND span_minutes = stretch.span_minutes
  AND starts_at >= to_timestamp(60 * stretch.from_minute::float8) AND starts_at < to_timestamp(60 * stretch.to_minute::float8)`

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
}
export type SumRow = ValuesOf<typeof sumColumns>
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
/** What is moved of the spans that begin at these minutes: from which period, and to which. */
const moved = (span: number, minutes: 'hours' | 'quarters') => `
  SELECT ${periodBy('bounds')} AS added_to, ${periodBy('marks')} AS taken_from, currency, ${columns.join(', ')}
  FROM charge_tallies
  WHERE merchant_id = :merchant_id AND span_minutes = ${String(span)} AND is_whole AND starts_at = ANY (${momentsOf(minutes)})`
const [SIX_HOURS, HOUR, QUARTER] = WHOLE_SPANS_MINUTES

/**
 * A merchant's tallies of each period as `MarkedPeriods` describes them, none where nothing happened; also what was moved to the time
 * before the first period (-1) and after the last.
 */
export const sumPeriods = statement({
  name: 'sum_charge_tallies_of_periods',
  values: periodTypes,
  columns: { period: integer, currency: text, ...sumColumns },
  sql: `
    WITH given AS MATERIALIZED (SELECT ${momentsOf('bounds')} AS bounds, ${momentsOf('marks')} AS marks),
    moved AS MATERIALIZED (${moved(HOUR, 'hours')} UNION ALL ${moved(QUARTER, 'quarters')}),
    counted AS (
      SELECT ${periodBy('marks')} AS period, currency, ${columns.join(', ')}
      FROM charge_tallies WHERE merchant_id = :merchant_id AND span_minutes = ${String(SIX_HOURS)} AND is_whole
        AND starts_at >= (SELECT marks[1] FROM given) AND starts_at < (SELECT marks[cardinality(marks)] FROM given)
      UNION ALL
      SELECT added_to, currency, ${columns.join(', ')} FROM moved
      UNION ALL
      SELECT taken_from, currency, ${columns.map((name) => `-${name}`).join(', ')} FROM moved
    )
    SELECT period, currency, ${SUMS} FROM counted GROUP BY 1, 2
    HAVING ${TALLY_KINDS.map((kind) => `sum(${kind}_count) > 0`).join(' OR ')}
    ORDER BY 1, 2`,
})

/** A merchant's tallies of each scheme, of all periods together. */
export const sumSchemes = statement({
  name: 'sum_charge_tallies_of_schemes',
  values: stretchTypes,
  columns: { scheme: text, currency: text, ...sumColumns },
  sql: `
    SELECT scheme, currency, ${SUMS}
    FROM ${STRETCHES} CROSS JOIN LATERAL (
      SELECT * FROM charge_tallies WHERE ${IN_STRETCH} AND NOT is_whole OFFSET 0
    ) tallies GROUP BY 1, 2 ORDER BY 1, 2`,
})

/** Why sales were declined, of all periods together, the most frequent first. */
export const sumDeclines = statement({
  name: 'sum_charge_declines',
  values: stretchTypes,
  columns: { currency: text, reason: textOf<DeclineReason>(), count: bigint, cents: bigint },
  sql: `
    SELECT currency, reason, sum(count)::bigint AS count, sum(cents)::bigint AS cents
    FROM ${STRETCHES} CROSS JOIN LATERAL (
      SELECT * FROM charge_declines WHERE ${IN_STRETCH} OFFSET 0
    ) declines GROUP BY 1, 2 ORDER BY 3 DESC, 2`,
})
