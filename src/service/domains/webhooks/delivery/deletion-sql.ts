import { statement } from '../../../platform/database/statement.ts'
import { BATCH_ROWS, batchColumns } from '../../../platform/jobs/batches.ts'
import { STATE } from './delivery-state-sql.ts'

/**
 * Deletes these deliveries, as many as a batch has, and says how many they were. `found` locks them, and leaves out those that somebody
 * else has locked: what it asks of them still holds when they are deleted, and two processes delete different ones.
 */
const deleteBatch = (found: string): string => `
  WITH gone AS (${found} LIMIT ${String(BATCH_ROWS)}), changed AS (
    DELETE FROM webhook_deliveries d USING gone
    WHERE d.endpoint_id = gone.endpoint_id AND d.event_id = gone.event_id RETURNING 1
  )
  SELECT count(*) AS count FROM changed`

/**
 * Deletes some of what was delivered or given up and is 30 days old; and of what still waits for a webhook that is disabled, as events do that
 * were sealed while it was being disabled.
 */
export const deleteOldDeliveries = statement({
  name: 'delete_old_deliveries',
  values: {},
  columns: batchColumns,
  sql: deleteBatch(
    `
    SELECT old.endpoint_id, old.event_id
    FROM webhook_endpoints w CROSS JOIN unnest(ARRAY['delivered', 'failed', 'waiting']) AS ended (state) CROSS JOIN LATERAL (
      SELECT endpoint_id, event_id FROM webhook_deliveries
      WHERE endpoint_id = w.id AND ${STATE} = ended.state AND created_at <= now() - interval '30 days'
        AND (next_at IS NULL OR next_at <= now() - interval '30 days')
      ORDER BY created_at, event_id LIMIT ${String(BATCH_ROWS)} FOR UPDATE SKIP LOCKED
    ) old
    WHERE ended.state <> 'waiting' OR w.disabled_at IS NOT NULL`,
  ),
})

/** Deletes some deliveries to webhooks that were removed. */
export const deleteRemovedDeliveries = statement({
  name: 'delete_removed_deliveries',
  values: {},
  columns: batchColumns,
  sql: deleteBatch(
    `
    SELECT of_removed.endpoint_id, of_removed.event_id FROM removed_webhooks r CROSS JOIN LATERAL (
      SELECT endpoint_id, event_id FROM webhook_deliveries WHERE endpoint_id = r.id
      ORDER BY event_id LIMIT ${String(BATCH_ROWS)} FOR UPDATE SKIP LOCKED
    ) of_removed`,
  ),
})

/**
 * Forgets which webhooks were removed a day ago, once nothing is left of them: each looks for its first message by
 * the index. By `NOT EXISTS` all messages may be read.
 */
export const forgetRemoved = statement({
  name: 'forget_removed_webhooks',
  values: {},
  columns: {},
  sql: `
    DELETE FROM removed_webhooks r
    WHERE removed_at <= now() - interval '1 day'
      AND (SELECT event_id FROM webhook_deliveries WHERE endpoint_id = r.id ORDER BY event_id LIMIT 1) IS NULL`,
})
