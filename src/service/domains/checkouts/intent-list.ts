import { CHECKOUT_STATUSES } from '../../../contract/api/checkouts/checkout-resource.ts'
import type { Database } from '../../platform/database/database.ts'
import { text } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { forEachChoice, IN_WINDOW, pageTypes, toPageValues } from '../../platform/listing/page-query.ts'
import type { PageFilter } from '../../platform/listing/page-query.ts'
import type { Intent } from './intent.ts'
import { columns, intentColumns, IS_OVER, toIntent } from './intent-store.ts'

/** A page of a merchant's intents, newest first. */
export async function listIntents(
  database: Database,
  merchantId: string,
  filter: PageFilter,
): Promise<Intent[]> {
  const values = { merchant_id: merchantId, ...toPageValues(filter) }
  return (await database.run(intentListFor(filter), values)).map(toIntent)
}

/** The columns by which a list can be filtered. */
const NARROWED_BY = ['status', 'reference'] as const

const PAGE = 'ORDER BY created_at DESC, id DESC LIMIT :limit::bigint + :skip::bigint'

/** Intents of one status as stored, and for `expired` also the few that are over and not marked yet; no more of each than are shown. */
const ofStatus = (others: string) => `(
  (SELECT * FROM checkout_intents WHERE ${others} AND status = :status AND NOT (${IS_OVER}) ${PAGE})
  UNION ALL
  (SELECT * FROM checkout_intents WHERE ${others} AND :status = 'expired' AND ${IS_OVER} ${PAGE})
) intents`

/** Intents of one reference, which many may share: no more of each status than are shown, from one place in an index. */
const ofReference = (others: string) => `(
  SELECT found.* FROM unnest('{${CHECKOUT_STATUSES.join()}}'::text[]) AS wanted (status) CROSS JOIN LATERAL (
    SELECT * FROM checkout_intents WHERE ${others} AND status = wanted.status ${PAGE}
  ) found
) intents`

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
