import { AGREEMENT_TYPES } from '../../../contract/api/agreements/agreement-request.ts'
import { AGREEMENT_STATUSES } from '../../../contract/api/agreements/agreement-resource.ts'
import { MAX_SHOWN } from '../../../contract/dashboard/overview.ts'
import type { NeedsAttention } from '../../../contract/dashboard/overview.ts'
import type { Queries } from '../../platform/database/database.ts'
import { bigint, nullable, text, timestamptz } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { forEachChoice, IN_WINDOW, pageTypes, toPageValues } from '../../platform/listing/page-query.ts'
import { MAX_READ, toNeeds } from '../../platform/listing/needs-attention.ts'
import type { PageFilter } from '../../platform/listing/page-query.ts'
import { agreementColumns, columns, toAgreement } from './agreement-store.ts'
import type { Agreement } from './agreement.ts'

export interface AgreementFilter extends PageFilter {
  type: Agreement['type'] | null
}

/** A page of a merchant's agreements that pass a filter, newest first. */
export async function listAgreements(
  queries: Queries,
  merchantId: string,
  filter: AgreementFilter,
): Promise<Agreement[]> {
  const values = { merchant_id: merchantId, type: filter.type, ...toPageValues(filter) }
  return (await queries.run(agreementListFor(filter), values)).map(toAgreement)
}

/** A merchant's suspended agreements, for the list of what needs attention. */
export async function suspendedAgreements(queries: Queries, merchantId: string): Promise<NeedsAttention[]> {
  const values = { merchant_id: merchantId, most: MAX_READ, shown: MAX_SHOWN }
  const rows = await queries.run(findSuspended, values)
  return toNeeds(
    rows,
    { kind: 'agreement_suspended', target: { page: 'agreements', query: { status: 'suspended' } } },
    ({ id, at, description }) => ({ id, at, words: description, cents: null, currency: null }),
    rows[0]?.found,
  )
}

/** The columns by which a list can be narrowed. */
const NARROWED_BY = ['status', 'type', 'reference'] as const

type Narrowing = (typeof NARROWED_BY)[number]

const PAGE = 'ORDER BY created_at DESC, id DESC'

/** A statement must use each of its values, also those of filters that were not chosen. */
const withoutOthers = (chosen: readonly Narrowing[]): string =>
  NARROWED_BY.filter((name) => !chosen.includes(name))
    .map((name) => `AND :${name}::text IS NULL`)
    .join(' ')

const passes = (chosen: readonly Narrowing[]): string => `
  merchant_id = :merchant_id ${chosen.map((name) => `AND ${name} = :${name}`).join(' ')} ${withoutOthers(chosen)}
  AND ${IN_WINDOW}`

/**
 * Agreements of one reference, which many may share. Of each status and type no more rows are read than are shown, from its place
 * in one index. The four columns are compared as one value, so that only that index fits: with separate conditions the planner,
 * which does not know the merchant, may choose the indexes by status and type and read all of the merchant's agreements.
 */
const ofReference = (chosen: readonly Narrowing[]): string => {
  const wanted = (name: Narrowing, all: readonly string[]) =>
    chosen.includes(name) ? `ARRAY[:${name}]` : `'{${all.join()}}'::text[]`
  return `(
    SELECT found.* FROM unnest(${wanted('status', AGREEMENT_STATUSES)}) AS of_status (status)
      CROSS JOIN unnest(${wanted('type', AGREEMENT_TYPES)}) AS of_type (type)
      CROSS JOIN LATERAL (
        SELECT * FROM agreements
        WHERE ARRAY[merchant_id, reference, status, type] = ARRAY[:merchant_id, :reference, of_status.status, of_type.type]
          AND reference IS NOT NULL AND ${IN_WINDOW} ${withoutOthers(chosen)}
        ${PAGE} LIMIT :limit::bigint + :skip::bigint
      ) found
  ) agreements`
}

export const agreementListFor = forEachChoice(NARROWED_BY, (chosen) =>
  statement({
    name: ['list_agreements', ...chosen].join('_'),
    values: { merchant_id: text, type: nullable(text), ...pageTypes },
    columns: agreementColumns,
    sql: `
      SELECT ${columns} FROM ${chosen.includes('reference') ? ofReference(chosen) : `agreements WHERE ${passes(chosen)}`}
      ${PAGE} LIMIT :limit OFFSET :skip`,
  }),
)

const SUSPENDED = "agreements WHERE merchant_id = :merchant_id AND status = 'suspended'"

/** The newest, and how many there are; an index alone counts them. */
const findSuspended = statement({
  name: 'find_suspended_agreements',
  values: { merchant_id: text, most: bigint, shown: bigint },
  columns: { id: text, at: timestamptz, description: text, found: bigint },
  sql: `
    SELECT id, updated_at AS at, description,
           (SELECT count(*) FROM (SELECT FROM ${SUSPENDED} LIMIT :most) counted) AS found
    FROM ${SUSPENDED} ORDER BY created_at DESC, id DESC LIMIT :shown`,
})
