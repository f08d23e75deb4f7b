import { bigint, nullable, text, timestamptz } from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { IN_WINDOW, windowTypes } from '../../../platform/listing/page-query.ts'

const SCHEME = "payment_source ->> 'card_scheme'"
const LAST4 = "payment_source ->> 'card_number_last4'"
const EMAIL = "customer ->> 'email'"
const CARD_NAME = "payment_source ->> 'card_name'"
/** In the order of their bytes, so that those with the same beginning stand side by side. Only A to Z have another case here. */
const foldCase = (text: string) => `lower((${text}) COLLATE "C")`
const REFERENCE = foldCase('reference')
const AMOUNTS = 'amount >= :amount_from AND amount <= :amount_to'
const BEGINNING = `${REFERENCE} >= ${foldCase(':reference_from')} AND ${REFERENCE} < ${foldCase(':reference_before')}`

/** What charges are found by: each has an index that has them newest first. References are exact in the merchants' API alone. */
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
export type Lead = keyof typeof BY | 'id' | 'transaction'

/** Ranges of values: what their indexes find has to be sorted. */
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
/** Conditions on a charge besides the one that finds it. */
export type FilterValues = ValuesOf<typeof filterTypes>

const OF_MERCHANT = `charges WHERE merchant_id = :merchant_id AND ${IN_WINDOW}`
const FITS = `
  (:status::text IS NULL OR status = :status) AND (:scheme::text IS NULL OR ${SCHEME} = :scheme)
  AND (:gateway_id::text IS NULL OR gateway_id = :gateway_id)
  AND (:amount_from::bigint IS NULL OR amount >= :amount_from)
  AND (:amount_to::bigint IS NULL OR amount <= :amount_to)
  AND (:reference_from::text IS NULL OR (${BEGINNING}))`
const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC'
const placeColumns = { id: text, created_at: timestamptz }
export type Place = ValuesOf<typeof placeColumns>

const findTypes = {
  ...filterTypes,
  sought: nullable(text),
  looked_at: nullable(bigint),
  limit: bigint,
  skip: bigint,
}

/** Of the `looked_at` newest charges that are found by something (null: of all of them) those that fit, newest first. */
const findBy = (lead: keyof typeof BY) =>
  statement({
    name: `find_charges_by_${lead.toLowerCase()}`,
    values: findTypes,
    columns: placeColumns,
    sql: `
      SELECT id, created_at FROM (
        SELECT id, created_at, status, gateway_id, amount, reference, payment_source FROM ${OF_MERCHANT} AND ${BY[lead]}
        ${NEWEST_FIRST} LIMIT :looked_at
      ) looked_at WHERE ${FITS} ${NEWEST_FIRST} LIMIT :limit OFFSET :skip`,
  })

/** The charge with an id, if it fits. The fence keeps the search from the list's own index, which would be read to its end. */
const findById: ReturnType<typeof findBy> = statement({
  name: 'find_charges_by_id',
  values: findTypes,
  columns: placeColumns,
  sql: `
    SELECT id, created_at FROM (SELECT * FROM charges WHERE id = :sought LIMIT :looked_at) one
    WHERE merchant_id = :merchant_id AND ${IN_WINDOW} AND ${FITS} LIMIT :limit OFFSET :skip`,
})

/** The charges of a transaction that fit: one, unless a gateway has given an id twice. */
const findByTransaction: ReturnType<typeof findBy> = statement({
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

/** Of all charges in a range those that fit, newest first. The window is no condition inside: another index might be read for it. */
const findIn = (range: Range) =>
  statement({
    name: `find_charges_in_${range}`,
    values: { ...filterTypes, limit: bigint },
    columns: placeColumns,
    sql: `
      SELECT id, created_at FROM (
        SELECT * FROM charges WHERE merchant_id = :merchant_id AND ${IN_RANGE[range]} OFFSET 0
      ) in_range WHERE ${IN_WINDOW} AND ${FITS} ${NEWEST_FIRST} LIMIT :limit`,
  })

export const finds: Readonly<Record<Lead, ReturnType<typeof findBy>>> = {
  newest: findBy('newest'),
  status: findBy('status'),
  scheme: findBy('scheme'),
  gatewayId: findBy('gatewayId'),
  amount: findBy('amount'),
  id: findById,
  last4: findBy('last4'),
  last4AndStatus: findBy('last4AndStatus'),
  reference: findBy('reference'),
  referenceAndStatus: findBy('referenceAndStatus'),
  exactReference: findBy('exactReference'),
  exactReferenceAndStatus: findBy('exactReferenceAndStatus'),
  email: findBy('email'),
  cardName: findBy('cardName'),
  transaction: findByTransaction,
}
export const rangeFinds: Readonly<Record<Range, ReturnType<typeof findIn>>> = {
  amounts: findIn('amounts'),
  beginning: findIn('beginning'),
}

const upTo = (from: string) => `(SELECT count(*) FROM (SELECT FROM ${from} LIMIT :most) matches)`
const inWindow = (condition: string) => upTo(`${OF_MERCHANT} AND ${condition}`)
const inAll = (condition: string) => upTo(`charges WHERE merchant_id = :merchant_id AND ${condition}`)

/** How many charges each filter alone lets through, counted up to `most`: of the window, or of a range in all. None by a filter that is null. */
export const countMatches = statement({
  name: 'count_charges_by_filters',
  values: { ...filterTypes, most: bigint },
  columns: { status: bigint, scheme: bigint, gateway_id: bigint, amounts: bigint, beginning: bigint },
  sql: `
    SELECT ${inWindow('status = :status')} AS status, ${inWindow(`${SCHEME} = :scheme`)} AS scheme,
           ${inWindow('gateway_id = :gateway_id')} AS gateway_id,
           ${inAll(AMOUNTS)} AS amounts, ${inAll(BEGINNING)} AS beginning`,
})
