import { AGREEMENT_TYPES } from '../../../../contract/api/agreements/agreement-request.ts'
import { AGREEMENT_STATUSES } from '../../../../contract/api/agreements/agreement-resource.ts'
import { nullable, text } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { forEachChoice } from '../../../platform/listing/filter-choices.ts'
import { IN_WINDOW, pageTypes } from '../../../platform/listing/page-query.ts'
import { agreementColumns } from '../agreement-row.ts'
import { columns } from './agreement-sql.ts'

/** By which of its columns a list can be narrowed down. */
const NARROWED_BY = ['status', 'type', 'reference'] as const

type Narrowing = (typeof NARROWED_BY)[number]

const PAGE = 'ORDER BY created_at DESC, id DESC'

const passes = (chosen: readonly Narrowing[]): string => `
  merchant_id = :merchant_id
  ${NARROWED_BY.map((name) => (chosen.includes(name) ? `AND ${name} = :${name}` : `AND :${name}::text IS NULL`)).join(' ')}
  AND ${IN_WINDOW}`

/** Those of one reference, which many may share: of each status and type no more than is shown, from its place in one index. */
const ofReference = (chosen: readonly Narrowing[]): string => {
  const wanted = (name: Narrowing, all: readonly string[]) =>
    chosen.includes(name) ? `ARRAY[:${name}]` : `'{${all.join()}}'::text[]`
  return `(
    SELECT found.* FROM unnest(${wanted('status', AGREEMENT_STATUSES)}) AS of_status (status)
      CROSS JOIN unnest(${wanted('type', AGREEMENT_TYPES)}) AS of_type (type)
      CROSS JOIN LATERAL (
        SELECT * FROM agreements WHERE ${passes(chosen)} AND status = of_status.status AND type = of_type.type
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
