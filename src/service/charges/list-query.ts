import * as v from 'valibot'
import { text } from '../../contract/text.ts'
import { placeOf } from './cursor.ts'
import type { Place } from './cursor.ts'

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
    !isNaN(Date.parse(time))
  )
}

/** Query of `GET /v1/charges` (contract §4). Strict: a misspelt filter would list what was not asked for. */
export const ListQuery = v.strictObject({
  status: v.optional(
    v.picklist(
      ['processing', 'pending', 'complete', 'cancelled', 'failed', 'refunded'],
      'must be processing, pending, complete, cancelled, failed or refunded',
    ),
  ),
  reference: v.optional(text(250)),
  'created_at.from': moment,
  'created_at.to': moment,
  limit: count(1, 100, '25', 'limit must be 1 to 100'),
  skip: count(0, 10_000, '0', 'skip must be 0 to 10000; use cursor to go further'),
  cursor: v.optional(
    v.pipe(
      v.string(),
      v.check((cursor) => placeOf(cursor) !== null, 'cursor must be the next of an earlier page'),
    ),
  ),
})

/** Which of a merchant's charges are listed, newest first. */
export interface ChargeFilter {
  status: string | null
  reference: string | null
  /** From this time on, and before that one. */
  from: Date | null
  to: Date | null
  /** Those after this place. */
  after: Place | null
  limit: number
  skip: number
}

export function toFilter(query: v.InferOutput<typeof ListQuery>): ChargeFilter {
  return {
    status: query.status ?? null,
    reference: query.reference ?? null,
    from: query['created_at.from'] ?? null,
    to: query['created_at.to'] ?? null,
    after: placeOf(query.cursor ?? ''),
    limit: query.limit,
    skip: query.skip,
  }
}
