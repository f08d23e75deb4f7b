import type { Metadata } from '../../../contract/api/fields/metadata.ts'
import type { Database } from '../../platform/database/database.ts'
import {
  arrayOf,
  bigint,
  bool,
  jsonb,
  nullable,
  text,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Position } from '../../platform/listing/cursor.ts'
import { IN_WINDOW, toPageValues, toWindowValues, windowTypes } from '../../platform/listing/page-query.ts'
import type { PageFilter, Window } from '../../platform/listing/page-query.ts'
import type { ChargeStatus } from './charge.ts'
import { IS_UNKNOWN } from './unknown-outcomes.ts'

/** What a charge must be to be listed; null: anything. */
export interface ChargeFilter {
  status: ChargeStatus | null
  scheme: string | null
  gatewayId: string | null
  /** In cents, both included. */
  amountFrom: number | null
  amountTo: number | null
}

/** Which charges may be found. */
export interface Scope extends ChargeFilter, Window {
  merchantId: string
  /** How the reference has to begin; null: in any way. */
  beginning: string | null
  /** Texts that its metadata has to have; null: any. */
  metadata: Metadata | null
  /** Whether its outcome has to be one that nobody knows. */
  isUnknown?: boolean
}

interface Look {
  /** The text that the lead looks for. */
  sought?: string
  limit: number
  /** The most charges that are read. */
  lookAt: number
}

/** The result of one search, newest first. */
export interface Found {
  places: readonly Position[]
  /** Where the search stopped, as there may be more beyond; null if it has seen everything. */
  lookedTo: Position | null
}

/** Charges that one lead finds; it reads `lookAt` of them at most. */
export async function findBy(
  database: Database,
  lead: Lead,
  scope: Scope,
  { sought, limit, lookAt }: Look,
): Promise<Found> {
  const values = { ...toValues(scope), sought: sought ?? null, looked_at: lookAt }
  const rows = await database.run(selectByLead[lead], { ...values, limit: limit + 1, skip: 0 })
  if (rows.length > limit) return toFound(rows, limit)
  // The last charge that was read is where the next page begins; there is none if everything was read.
  const last = { ...values, ...otherFiltersOff(lead), limit: 1, skip: lookAt - 1 }
  const [end] = await database.run(selectByLead[lead], last)
  return { places: rows.map(toPlace), lookedTo: end === undefined ? null : toPlace(end) }
}

/** Charges in a range; it reads every charge of the range. */
export async function findIn(database: Database, range: Range, scope: Scope, limit: number): Promise<Found> {
  return toFound(
    await database.run(selectByRange[range], { ...toRangeValues(scope), limit: limit + 1 }),
    limit,
  )
}

/** How many charges each filter alone lets through; 0 if it is not given. */
export type Matches = Readonly<Record<'status' | 'scheme' | 'gatewayId' | Range, number>>

/** Counts up to `most`. */
export async function countMatches(database: Database, scope: Scope, most: number): Promise<Matches> {
  const [row] = await database.run(selectCounts, { ...toRangeValues(scope), most })
  if (row === undefined) throw new Error('nothing was counted')
  const { gateway_id: gatewayId, ...counts } = row
  return { ...counts, gatewayId }
}

/** How many charges have each of these pairs within the window of a scope, up to `most`. */
export async function countPairs(
  database: Database,
  scope: Scope,
  pairs: readonly number[],
  most: number,
): Promise<{ pair: number; count: number }[]> {
  return database.run(selectPairCounts, {
    merchant_id: scope.merchantId,
    ...toWindowValues(scope),
    pairs,
    most,
  })
}

/** Ids of a page of the merchants' API, which reads as many charges as it takes. */
export async function findPageIds(
  database: Database,
  merchantId: string,
  filter: PageFilter,
): Promise<string[]> {
  const { reference: sought, ...page } = toPageValues(filter)
  const lead = leadOf(sought !== null, page.status !== null)
  const values = { ...NOTHING_ELSE, merchant_id: merchantId, ...page, sought, looked_at: null }
  return (await database.run(selectByLead[lead], values)).map(({ id }) => id)
}

function leadOf(hasReference: boolean, hasStatus: boolean): Lead {
  if (hasReference) return hasStatus ? 'exactReferenceAndStatus' : 'exactReference'
  return hasStatus ? 'status' : 'newest'
}

const NOTHING_ELSE = {
  status: null,
  scheme: null,
  gateway_id: null,
  amount_from: null,
  amount_to: null,
  reference_from: null,
  reference_before: null,
  metadata: null,
  unknown: null,
}

const LEADS_WITH_STATUS: ReadonlySet<Lead> = new Set(['status', 'last4AndStatus', 'referenceAndStatus'])

/** Turns off all filters but the one that the lead itself searches by. */
function otherFiltersOff(lead: Lead): Partial<typeof NOTHING_ELSE> {
  const { status, scheme, gateway_id, amount_from, ...others } = NOTHING_ELSE
  return {
    ...others,
    ...(!LEADS_WITH_STATUS.has(lead) && { status }),
    ...(lead !== 'scheme' && { scheme }),
    ...(lead !== 'gatewayId' && { gateway_id }),
    ...(lead !== 'amount' && { amount_from }),
  }
}

/** Sorts after every character of a reference. */
const LAST_CHARACTER = '\u{10ffff}'

function toValues({ merchantId, beginning, metadata, isUnknown = false, ...scope }: Scope): FilterValues {
  return {
    merchant_id: merchantId,
    ...toWindowValues(scope),
    status: scope.status,
    scheme: scope.scheme,
    gateway_id: scope.gatewayId,
    amount_from: scope.amountFrom,
    amount_to: scope.amountTo,
    reference_from: beginning,
    reference_before: beginning === null ? null : beginning + LAST_CHARACTER,
    metadata,
    unknown: isUnknown ? true : null,
  }
}

/** Both ends of a range of amounts, where one is given. */
function toRangeValues(scope: Scope): FilterValues {
  const values = toValues(scope)
  const isRange = scope.amountFrom !== null || scope.amountTo !== null
  return isRange
    ? { ...values, amount_from: scope.amountFrom ?? 0, amount_to: scope.amountTo ?? Number.MAX_SAFE_INTEGER }
    : values
}

function toFound(rows: readonly Place[], limit: number): Found {
  const places = rows.slice(0, limit).map(toPlace)
  return { places, lookedTo: rows.length > limit ? (places.at(-1) ?? null) : null }
}

function toPlace({ id, created_at: createdAt }: Place): Position {
  return { id, createdAt }
}

const SCHEME = "payment_source ->> 'card_scheme'"
const LAST4 = "payment_source ->> 'card_number_last4'"
const EMAIL = "customer ->> 'email'"
const CARD_NAME = "payment_source ->> 'card_name'"
/** Sorted by bytes, so that texts with the same beginning stand side by side; only A to Z are folded. */
const foldCase = (text: string) => `lower((${text}) COLLATE "C")`
const REFERENCE = foldCase('reference')
const AMOUNTS = 'amount >= :amount_from AND amount <= :amount_to'
const BEGINNING = `${REFERENCE} >= ${foldCase(':reference_from')} AND ${REFERENCE} < ${foldCase(':reference_before')}`

/** What charges are found by; each lead has an index with the newest first. Only the merchants' API takes references exactly. */
const BY = {
  newest: ':sought::text IS NULL',
  status: 'status = :status AND :sought::text IS NULL',
  scheme: `${SCHEME} = :scheme AND :sought::text IS NULL`,
  gatewayId: 'gateway_id = :gateway_id AND :sought::text IS NULL',
  amount: 'amount = :amount_from AND :sought::text IS NULL',
  last4: `${LAST4} = :sought`,
  last4AndStatus: `${LAST4} = :sought AND status = :status`,
  email: `${foldCase(EMAIL)} = ${foldCase(':sought')}`,
  cardName: `${foldCase(CARD_NAME)} = ${foldCase(':sought')}`,
  reference: `${REFERENCE} = ${foldCase(':sought')}`,
  referenceAndStatus: `${REFERENCE} = ${foldCase(':sought')} AND status = :status`,
  exactReference: `${REFERENCE} = ${foldCase(':sought')} AND reference = :sought`,
  exactReferenceAndStatus: `${REFERENCE} = ${foldCase(':sought')} AND reference = :sought AND status = :status`,
} as const
export type Lead = keyof typeof BY | 'id' | 'transaction' | 'metadata'

/** Ranges of values; what their indexes find has to be sorted. */
const IN_RANGE = { amounts: AMOUNTS, beginning: BEGINNING } as const
export type Range = keyof typeof IN_RANGE

const filterTypes = {
  merchant_id: text,
  ...windowTypes,
  status: nullable(text),
  scheme: nullable(text),
  gateway_id: nullable(text),
  amount_from: nullable(bigint),
  amount_to: nullable(bigint),
  reference_from: nullable(text),
  reference_before: nullable(text),
}
const fitTypes = { ...filterTypes, metadata: nullable(jsonb<Metadata>()), unknown: nullable(bool) }
/** Conditions on a charge besides the one that finds it. */
type FilterValues = ValuesOf<typeof fitTypes>

const OF_MERCHANT = `charges WHERE merchant_id = :merchant_id AND ${IN_WINDOW}`
const FITS = `
  (:status::text IS NULL OR status = :status) AND (:scheme::text IS NULL OR ${SCHEME} = :scheme)
  AND (:gateway_id::text IS NULL OR gateway_id = :gateway_id)
  AND (:amount_from::bigint IS NULL OR amount >= :amount_from)
  AND (:amount_to::bigint IS NULL OR amount <= :amount_to)
  AND (:reference_from::text IS NULL OR (${BEGINNING}))
  AND (:metadata::jsonb IS NULL OR metadata @> :metadata)
  AND (:unknown::boolean IS NULL OR open_attempt_id IN (SELECT id FROM attempts WHERE ${IS_UNKNOWN}))`
const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC'
const placeColumns = { id: text, created_at: timestamptz }
type Place = ValuesOf<typeof placeColumns>

const findTypes = {
  ...fitTypes,
  sought: nullable(text),
  looked_at: nullable(bigint),
  limit: bigint,
  skip: bigint,
}

/** Of the `looked_at` newest charges that are found by something (null: of all of them) those that fit, newest first. */
const selectBy = (lead: keyof typeof BY) =>
  statement({
    name: `find_charges_by_${lead.toLowerCase()}`,
    values: findTypes,
    columns: placeColumns,
    sql: `
      SELECT id, created_at FROM (
        SELECT id, created_at, status, gateway_id, amount, reference, metadata, payment_source, open_attempt_id
        FROM ${OF_MERCHANT} AND ${BY[lead]}
        ${NEWEST_FIRST} LIMIT :looked_at
      ) looked_at WHERE ${FITS} ${NEWEST_FIRST} LIMIT :limit OFFSET :skip`,
  })

/** The charge with an id, if it fits. The subquery keeps the planner from the list's index, which it would read to its end. */
const selectById: ReturnType<typeof selectBy> = statement({
  name: 'find_charges_by_id',
  values: findTypes,
  columns: placeColumns,
  sql: `
    SELECT id, created_at FROM (SELECT * FROM charges WHERE id = :sought LIMIT :looked_at) one
    WHERE merchant_id = :merchant_id AND ${IN_WINDOW} AND ${FITS} LIMIT :limit OFFSET :skip`,
})

/** The charges with a transaction of this id: one, unless a gateway has given an id twice. */
const selectByTransaction: ReturnType<typeof selectBy> = statement({
  name: 'find_charges_by_transaction',
  values: findTypes,
  columns: placeColumns,
  sql: `
    SELECT id, created_at FROM charges WHERE id IN (
      SELECT charge_id FROM attempts WHERE id = lower(:sought)
      UNION ALL (
        SELECT charge_id FROM attempts WHERE external_id IN (:sought, lower(:sought), upper(:sought)) LIMIT :looked_at
      )
    ) AND merchant_id = :merchant_id AND ${IN_WINDOW} AND ${FITS} ${NEWEST_FIRST} LIMIT :limit OFFSET :skip`,
})

/**
 * Charges with one text in their metadata, by its pair; what of them fits is looked up charge by charge, as a join of another kind would
 * lose the order. Other texts may have the same pair: `metadata` tells them apart.
 */
const selectByMetadata: ReturnType<typeof selectBy> = statement({
  name: 'find_charges_by_metadata',
  values: findTypes,
  columns: placeColumns,
  sql: `
    SELECT charge.id, looked_at.created_at FROM (
      SELECT charge_id AS id, created_at FROM charge_metadata
      WHERE merchant_id = :merchant_id AND pair = :sought::text::bigint
        AND created_at >= :created_from AND (created_at, charge_id) < (:before_created_at, :before_id)
      ORDER BY created_at DESC, charge_id DESC LIMIT :looked_at
    ) looked_at CROSS JOIN LATERAL (
      SELECT * FROM charges WHERE charges.id = looked_at.id OFFSET 0
    ) charge WHERE ${FITS} ORDER BY looked_at.created_at DESC, looked_at.id DESC LIMIT :limit OFFSET :skip`,
})

/** Of all charges in a range those that fit, newest first. The window stands outside, or the planner might choose its index. */
const selectIn = (range: Range) =>
  statement({
    name: `find_charges_in_${range}`,
    values: { ...fitTypes, limit: bigint },
    columns: placeColumns,
    sql: `
      SELECT id, created_at FROM (
        SELECT * FROM charges WHERE merchant_id = :merchant_id AND ${IN_RANGE[range]} OFFSET 0
      ) in_range WHERE ${IN_WINDOW} AND ${FITS} ${NEWEST_FIRST} LIMIT :limit`,
  })

export const selectByLead: Readonly<Record<Lead, ReturnType<typeof selectBy>>> = {
  newest: selectBy('newest'),
  status: selectBy('status'),
  scheme: selectBy('scheme'),
  gatewayId: selectBy('gatewayId'),
  amount: selectBy('amount'),
  id: selectById,
  last4: selectBy('last4'),
  last4AndStatus: selectBy('last4AndStatus'),
  reference: selectBy('reference'),
  referenceAndStatus: selectBy('referenceAndStatus'),
  exactReference: selectBy('exactReference'),
  exactReferenceAndStatus: selectBy('exactReferenceAndStatus'),
  email: selectBy('email'),
  cardName: selectBy('cardName'),
  transaction: selectByTransaction,
  metadata: selectByMetadata,
}
export const selectByRange: Readonly<Record<Range, ReturnType<typeof selectIn>>> = {
  amounts: selectIn('amounts'),
  beginning: selectIn('beginning'),
}

const upTo = (from: string) => `(SELECT count(*) FROM (SELECT FROM ${from} LIMIT :most) matches)`
const inWindow = (condition: string) => upTo(`${OF_MERCHANT} AND ${condition}`)
const inAll = (condition: string) => upTo(`charges WHERE merchant_id = :merchant_id AND ${condition}`)

/** Counts within the window; those of ranges count all charges. A filter that is null counts none. */
export const selectCounts = statement({
  name: 'count_charges_by_filters',
  values: { ...filterTypes, most: bigint },
  columns: { status: bigint, scheme: bigint, gateway_id: bigint, amounts: bigint, beginning: bigint },
  sql: `
    SELECT ${inWindow('status = :status')} AS status, ${inWindow(`${SCHEME} = :scheme`)} AS scheme,
           ${inWindow('gateway_id = :gateway_id')} AS gateway_id,
           ${inAll(AMOUNTS)} AS amounts, ${inAll(BEGINNING)} AS beginning`,
})

export const selectPairCounts = statement({
  name: 'count_charges_by_pairs',
  values: { merchant_id: text, ...windowTypes, pairs: arrayOf(bigint), most: bigint },
  columns: { pair: bigint, count: bigint },
  sql: `
    SELECT pair, (
      SELECT count(*) FROM (
        SELECT FROM charge_metadata WHERE merchant_id = :merchant_id AND charge_metadata.pair = asked.pair
          AND created_at >= :created_from AND (created_at, charge_id) < (:before_created_at, :before_id) LIMIT :most
      ) matches
    ) AS count FROM unnest(:pairs::bigint[]) AS asked (pair)`,
})
