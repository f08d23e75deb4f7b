import { nullable, text } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { forEachChoice } from '../../../platform/listing/filter-choices.ts'
import { IN_WINDOW, pageTypes } from '../../../platform/listing/page-query.ts'
import { agreementColumns } from '../agreement-row.ts'
import { columns } from './agreement-sql.ts'

/** By which of its columns a list can be narrowed down. */
const NARROWED_BY = ['status', 'type', 'reference'] as const

/** A page of a merchant's agreements that pass a filter, newest first. */
export const agreementListFor = forEachChoice(NARROWED_BY, (chosen) =>
  statement({
    name: ['list_agreements', ...chosen].join('_'),
    values: { merchant_id: text, type: nullable(text), ...pageTypes },
    columns: agreementColumns,
    sql: `
      SELECT ${columns} FROM agreements
      WHERE merchant_id = :merchant_id
        ${NARROWED_BY.map((name) => (chosen.includes(name) ? `AND ${name} = :${name}` : `AND :${name}::text IS NULL`)).join(' ')}
        AND ${IN_WINDOW}
      ORDER BY created_at DESC, id DESC LIMIT :limit OFFSET :skip`,
  }),
)
