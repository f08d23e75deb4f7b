import type { Database } from '../../../platform/database/database.ts'
import { bigint, notNull, text, timestamptz } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { MAX_READ, toNeeds } from '../../../platform/listing/needs-attention.ts'
import { DELIVERY_STATES, newestOf } from './delivery-state-sql.ts'
import type { FindNeeds } from '../../../platform/listing/needs-attention.ts'

/** Of a webhook's messages the newest that are looked at. */
const MAX_LOOKED_AT = 100

const NEWEST = newestOf({
  webhook: 'w.id',
  states: `ARRAY['${DELIVERY_STATES.join("', '")}']`,
  limit: String(MAX_LOOKED_AT),
  condition: 'true',
})

const findFailing = statement({
  name: 'find_failing_webhooks',
  values: { merchant_id: text, most: bigint },
  columns: { id: text, url: text, at: timestamptz, fault: notNull(text) },
  sql: `
    SELECT w.id, w.url, failed.created_at AS at, failed.last_fault AS fault
    FROM webhook_endpoints w CROSS JOIN LATERAL (
      SELECT created_at, last_fault FROM (${NEWEST}) newest
      WHERE last_fault IS NOT NULL AND delivered_at IS NULL ORDER BY created_at DESC LIMIT 1
    ) failed
    WHERE w.merchant_id = :merchant_id AND w.disabled_at IS NULL
    ORDER BY failed.created_at DESC LIMIT :most`,
})

/** Webhooks of which one of the newest messages was tried and has not arrived. */
export function createFailingWebhooks(database: Database): FindNeeds {
  return async (merchantId) =>
    toNeeds(
      await database.run(findFailing, { merchant_id: merchantId, most: MAX_READ }),
      { kind: 'webhook_failing', target: { page: 'webhooks', query: {} } },
      ({ id, at, url, fault }) => ({ id, at, words: `${url}: ${fault}`, cents: null, currency: null }),
    )
}
