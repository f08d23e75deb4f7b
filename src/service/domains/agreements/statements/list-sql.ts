import { AGREEMENT_TYPES } from '../../../../contract/api/agreements/agreement-request.ts'
import { AGREEMENT_STATUSES } from '../../../../contract/api/agreements/agreement-resource.ts'
import { nullable, text } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { forEachChoice, IN_WINDOW, pageTypes } from '../../../platform/listing/page-query.ts'
import { agreementColumns } from '../agreement-row.ts'
import { columns } from './agreement-sql.ts'

/** By which of its columns a list can be narrowed down. */
const NARROWED_BY = ['status', 'type', 'reference'] as const

type Narrowing = (typeof NARROWED_BY)[number]

const PAGE = 'ORDER BY created_at DESC, id DESC'

/** A statement names each of its values, also those that this list is not narrowed by. */
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

/** A page of a merchant's agreements that pass a filter, newest first. */
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
