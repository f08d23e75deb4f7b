import { statement } from '../../../platform/database/statement.ts'
import { PIECE, pieceColumns } from '../../../platform/jobs/piece.ts'
import { STATE } from './delivery-state-sql.ts'

/**
 * Deletes these deliveries, as many as a piece has, and says how many they were. `still`: what has to hold of each row, which somebody
 * may have changed since it was found.
 */
const deletePiece = (found: string, still: string): string => `
  WITH gone AS (${found} LIMIT ${String(PIECE)}), changed AS (
    DELETE FROM webhook_deliveries d USING gone
    WHERE d.endpoint_id = gone.endpoint_id AND d.event_id = gone.event_id AND ${still} RETURNING 1
  )
  SELECT count(*) AS count FROM changed`

/** Deletes some of what was delivered or given up and is 30 days old. */
export const deleteOldDeliveries = statement({
  name: 'delete_old_deliveries',
  values: {},
  columns: pieceColumns,
  sql: deletePiece(
    `
    SELECT old.endpoint_id, old.event_id
    FROM webhook_endpoints w CROSS JOIN unnest(ARRAY['delivered', 'failed']) AS ended (state) CROSS JOIN LATERAL (
      SELECT endpoint_id, event_id FROM webhook_deliveries
      WHERE endpoint_id = w.id AND ${STATE} = ended.state AND created_at <= now() - interval '30 days'
      ORDER BY created_at, event_id LIMIT ${String(PIECE)}
    ) old`,
    `${STATE} <> 'waiting'`,
  ),
})

/** Deletes some deliveries to webhooks that were removed. */
export const deleteRemovedDeliveries = statement({
  name: 'delete_removed_deliveries',
  values: {},
  columns: pieceColumns,
  sql: deletePiece(
    `
    SELECT of_removed.endpoint_id, of_removed.event_id FROM removed_webhooks r CROSS JOIN LATERAL (
      SELECT endpoint_id, event_id FROM webhook_deliveries WHERE endpoint_id = r.id
      ORDER BY event_id LIMIT ${String(PIECE)}
    ) of_removed`,
    'true',
  ),
})

/** Forgets which webhooks were removed a day ago: nothing is left of them. */
export const forgetRemoved = statement({
  name: 'forget_removed_webhooks',
  values: {},
  columns: {},
  sql: `
    DELETE FROM removed_webhooks r
    WHERE removed_at <= now() - interval '1 day' AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE endpoint_id = r.id)`,
})
