import { nullable, text } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { pageTypes } from '../../../platform/listing/page-query.ts'
import { agreementColumns } from '../agreement-row.ts'
import { columns } from './agreement-sql.ts'

/** By which of its columns a list can be narrowed down. */
const NARROWED_BY = ['status', 'type', 'reference'] as const
export type Narrowing = (typeof NARROWED_BY)[number]

/**
 * A page of a merchant's agreements that pass a filter, newest first. A statement for each choice of filters: each is planned for the
 * index that it needs, also when its plan is kept.
 */
const listBy = (chosen: readonly Narrowing[]) =>
  statement({
    name: ['list_agreements', ...chosen].join('_'),
    values: { merchant_id: text, type: nullable(text), ...pageTypes },
    columns: agreementColumns,
    sql: `
      SELECT ${columns} FROM agreements
      WHERE merchant_id = :merchant_id
        ${NARROWED_BY.map((name) => (chosen.includes(name) ? `AND ${name} = :${name}` : `AND :${name}::text IS NULL`)).join(' ')}
        AND (:after_created_at::timestamptz IS NULL OR (created_at, id) < (:after_created_at, :after_id))
        AND (:created_from::timestamptz IS NULL OR created_at >= :created_from)
        AND (:created_before::timestamptz IS NULL OR created_at < :created_before)
      ORDER BY created_at DESC, id DESC LIMIT :limit OFFSET :skip`,
  })

/** For each choice of filters its statement, by their names in order. */
export const agreementLists = new Map(choicesOf(NARROWED_BY).map((chosen) => [chosen.join(), listBy(chosen)]))

/** Which of the filters are given, as `agreementLists` names a choice of them. */
export function choiceOf(given: Readonly<Record<Narrowing, string | null>>): string {
  return NARROWED_BY.filter((name) => given[name] !== null).join()
}

/** All choices of some of these, none and all among them, each in their order. */
function choicesOf<Name>([first, ...others]: readonly Name[]): Name[][] {
  if (first === undefined) return [[]]
  const rest = choicesOf(others)
  return [...rest, ...rest.map((chosen) => [first, ...chosen])]
}
