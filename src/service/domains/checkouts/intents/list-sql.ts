import { CHECKOUT_STATUSES } from '../../../../contract/api/checkouts/checkout-resource.ts'
import { text } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { forEachChoice, IN_WINDOW, pageTypes } from '../../../platform/listing/page-query.ts'
import { intentColumns } from './intent-row.ts'
import { columns, IS_OVER } from './intent-sql.ts'

/** By which of its columns a list can be narrowed down. */
const NARROWED_BY = ['status', 'reference'] as const

const PAGE = 'ORDER BY created_at DESC, id DESC LIMIT :limit::bigint + :skip::bigint'

/** Those of one status: as they are stored, and for `expired` the few that are over and not marked yet; of each no more than is shown. */
const ofStatus = (others: string) => `(
  (SELECT * FROM checkout_intents WHERE ${others} AND status = :status AND NOT (${IS_OVER}) ${PAGE})
  UNION ALL
  (SELECT * FROM checkout_intents WHERE ${others} AND :status = 'expired' AND ${IS_OVER} ${PAGE})
) intents`

/** Those of one reference, which many may share: of each status no more than is shown, from its place in one index. */
const ofReference = (others: string) => `(
  SELECT found.* FROM unnest('{${CHECKOUT_STATUSES.join()}}'::text[]) AS wanted (status) CROSS JOIN LATERAL (
    SELECT * FROM checkout_intents WHERE ${others} AND status = wanted.status ${PAGE}
  ) found
) intents`

/** A page of a merchant's intents that pass a filter, newest first. */
export const intentListFor = forEachChoice(NARROWED_BY, (chosen) => {
  const reference = chosen.includes('reference') ? 'reference = :reference' : ':reference::text IS NULL'
  const others = `merchant_id = :merchant_id AND ${reference} AND ${IN_WINDOW}`
  const ofAnyStatus = `${others} AND :status::text IS NULL`
  const from = chosen.includes('status')
    ? ofStatus(others)
    : chosen.includes('reference')
      ? ofReference(ofAnyStatus)
      : `checkout_intents WHERE ${ofAnyStatus}`
  return statement({
    name: ['list_checkout_intents', ...chosen].join('_'),
    values: { merchant_id: text, ...pageTypes },
    columns: intentColumns,
    sql: `
      SELECT ${columns} FROM ${from}
      ORDER BY created_at DESC, id DESC LIMIT :limit OFFSET :skip`,
  })
})
