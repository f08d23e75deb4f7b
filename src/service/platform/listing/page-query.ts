import * as v from 'valibot'
import { isRealDay, momentOf } from '../../../contract/api/fields/moment.ts'
import { text } from '../../../contract/api/fields/text.ts'
import { bigint, nullable, text as sqlText, timestamptz } from '../database/sql-types.ts'
import type { ValuesOf } from '../database/sql-types.ts'
import { positionOf, toCursor } from './cursor.ts'
import type { Position } from './cursor.ts'

const count = (min: number, max: number, fallback: string, words: string) =>
  v.pipe(
    v.optional(v.string(), fallback),
    v.check((given) => /^\d{1,6}$/.test(given), words),
    // A query is text, and what callers mean by it a number: so the OpenAPI document says.
    v.metadata({ type: 'integer', minimum: min, maximum: max, default: Number(fallback) }),
    v.transform(Number),
    v.minValue(min, words),
    v.maxValue(max, words),
  )

const NO_TIME = 'must be a day, or a time with its zone, such as 2026-11-21T10:00:00.000Z'

/** A time in a query: a day, or a time with its zone. */
export const timeEntry = v.optional(
  v.pipe(
    v.string(),
    v.check((text) => dayOrTime(text) !== null, NO_TIME),
    v.transform((text) => dayOrTime(text) ?? new Date(NaN)),
  ),
)

/**
 * The time that a query means: a time with its zone, or a day, which begins at midnight UTC. Null for anything else. A `+` that was not
 * encoded arrives as a space, and means the same.
 */
export function dayOrTime(text: string): Date | null {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return isRealDay(text) ? new Date(text) : null
  return momentOf(text.replace(/ (?=\d\d(?::?\d\d)?$)/, '+'))
}

/** How many entries a page has, at the most 100. `fallback`: where the query does not say. */
export const limitOf = (fallback: string) => count(1, 100, fallback, 'limit must be 1 to 100')

/** What the query of every list may hold beside its `status` (contract §4). */
export const pageEntries = {
  reference: v.optional(text(250)),
  'created_at.from': timeEntry,
  'created_at.to': timeEntry,
  limit: limitOf('25'),
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

/** Which of a merchant's things are listed; newest first, unless the list says otherwise. */
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

/** The period in which the listed things were made, and the place after which a page begins. */
export type Window = Pick<PageFilter, 'from' | 'to' | 'after'>

export const windowTypes = {
  created_from: timestamptz,
  before_created_at: timestamptz,
  before_id: sqlText,
}

/**
 * The SQL condition of a window. Its bounds are always there, so that an index that ends in `created_at DESC, id DESC` is entered
 * at the window's beginning, also by a plan that is kept for whatever values come.
 */
export const IN_WINDOW = 'created_at >= :created_from AND (created_at, id) < (:before_created_at, :before_id)'

const FIRST_MOMENT = new Date(0)
const LAST_MOMENT = new Date('9999-12-31T00:00:00.000Z')

export function toWindowValues({ from, to, after }: Window): ValuesOf<typeof windowTypes> {
  const end = to ?? LAST_MOMENT
  const isInside = after !== null && after.createdAt < end
  return {
    created_from: from ?? FIRST_MOMENT,
    before_created_at: isInside ? after.createdAt : end,
    before_id: isInside ? after.id : '',
  }
}

/** The values of a statement that lists such a page. */
export const pageTypes = {
  ...windowTypes,
  status: nullable(sqlText),
  reference: nullable(sqlText),
  limit: bigint,
  skip: bigint,
}

export function toPageValues(filter: PageFilter): ValuesOf<typeof pageTypes> {
  const { status, reference, limit, skip } = filter
  return { ...toWindowValues(filter), status, reference, limit, skip }
}

/**
 * A page of what `list` finds, and where the next one begins; null on the last. `placeOf`: the place of an item in a list that is not in the
 * order in which its items were made.
 */
export async function pageOf<Item extends Position, Filter extends { limit: number }>(
  filter: Filter,
  list: (filter: Filter) => Promise<Item[]>,
  placeOf: (item: Item) => Position = (item) => item,
): Promise<{ shown: Item[]; next: string | null }> {
  const found = await list({ ...filter, limit: filter.limit + 1 })
  const shown = found.slice(0, filter.limit)
  const last = found.length > filter.limit ? shown.at(-1) : undefined
  return { shown, next: last === undefined ? null : toCursor(placeOf(last)) }
}

/**
 * What `make` makes for each choice of these filters, and how to find it by the filters that are given (not null). A list has a
 * statement for each choice: so each is planned for the index that it needs, also when its plan is kept.
 */
export function forEachChoice<Name extends string, Made>(
  names: readonly Name[],
  make: (chosen: readonly Name[]) => Made,
): (given: Readonly<Record<Name, unknown>>) => Made {
  const made = new Map(choicesOf(names).map((chosen) => [chosen.join(), make(chosen)]))
  return (given) => {
    const found = made.get(names.filter((name) => given[name] !== null).join())
    if (found === undefined) throw new Error('there is no such choice of filters')
    return found
  }
}

/** All choices of some of these, none and all among them, each in their order. */
function choicesOf<Name>([first, ...others]: readonly Name[]): Name[][] {
  if (first === undefined) return [[]]
  const rest = choicesOf(others)
  return [...rest, ...rest.map((chosen) => [first, ...chosen])]
}
