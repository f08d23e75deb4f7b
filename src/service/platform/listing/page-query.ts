import * as v from 'valibot'
import { text } from '../../../contract/api/text.ts'
import { bigint, nullable, text as sqlText, timestamptz } from '../database/sql-types.ts'
import type { ValuesOf } from '../database/sql-types.ts'
import { positionOf, toCursor } from './cursor.ts'
import type { Position } from './cursor.ts'

const count = (least: number, most: number, fallback: string, words: string) =>
  v.pipe(
    v.optional(v.string(), fallback),
    v.regex(/^\d{1,6}$/, words),
    v.transform(Number),
    v.minValue(least, words),
    v.maxValue(most, words),
  )

const moment = v.optional(
  v.pipe(
    v.string(),
    v.check(isMoment, 'must be a time such as 2026-11-21T10:00:00.000Z'),
    v.transform((time) => new Date(time)),
  ),
)

function isMoment(time: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d))?$/.test(time) &&
    !isNaN(Date.parse(time)) &&
    isDay(time.slice(0, 'YYYY-MM-DD'.length))
  )
}

/** `Date` takes the 31st of February for the 3rd of March. */
function isDay(day: string): boolean {
  return new Date(day).toISOString().startsWith(day)
}

/** What the query of every list may hold beside its `status` (contract §4). */
export const pageEntries = {
  reference: v.optional(text(250)),
  'created_at.from': moment,
  'created_at.to': moment,
  limit: count(1, 100, '25', 'limit must be 1 to 100'),
  skip: count(0, 10_000, '0', 'skip must be 0 to 10000; use cursor to go further'),
  cursor: v.optional(
    v.pipe(
      v.string(),
      v.check((cursor) => positionOf(cursor) !== null, 'cursor must be the next of an earlier page'),
    ),
  ),
}

interface PageQuery {
  status?: string | undefined
  reference?: string | undefined
  'created_at.from'?: Date | undefined
  'created_at.to'?: Date | undefined
  limit: number
  skip: number
  cursor?: string | undefined
}

/** Which of a merchant's things are listed, newest first. */
export interface PageFilter {
  status: string | null
  reference: string | null
  /** From this time on, and before that one. */
  from: Date | null
  to: Date | null
  /** Those after this place. */
  after: Position | null
  limit: number
  skip: number
}

export function toFilter(query: PageQuery): PageFilter {
  return {
    status: query.status ?? null,
    reference: query.reference ?? null,
    from: query['created_at.from'] ?? null,
    to: query['created_at.to'] ?? null,
    after: positionOf(query.cursor ?? ''),
    limit: query.limit,
    skip: query.skip,
  }
}

/** The values of a statement that lists such a page. */
export const pageTypes = {
  after_created_at: nullable(timestamptz),
  after_id: nullable(sqlText),
  status: nullable(sqlText),
  reference: nullable(sqlText),
  created_from: nullable(timestamptz),
  created_before: nullable(timestamptz),
  limit: bigint,
  skip: bigint,
}

export function toPageValues(filter: PageFilter): ValuesOf<typeof pageTypes> {
  const { after, status, reference, from, to, limit, skip } = filter
  return {
    after_created_at: after?.createdAt ?? null,
    after_id: after?.id ?? null,
    status,
    reference,
    created_from: from,
    created_before: to,
    limit,
    skip,
  }
}

/** A page of what `list` finds, and where the next one begins; null on the last. */
export async function pageOf<Item extends Position>(
  filter: PageFilter,
  list: (filter: PageFilter) => Promise<Item[]>,
): Promise<{ shown: Item[]; next: string | null }> {
  const found = await list({ ...filter, limit: filter.limit + 1 })
  const shown = found.slice(0, filter.limit)
  const last = found.length > filter.limit ? shown.at(-1) : undefined
  return { shown, next: last === undefined ? null : toCursor(last) }
}
