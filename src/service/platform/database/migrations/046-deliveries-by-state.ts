import type { Migration } from '../migrate.ts'

/**
 * By which a webhook's deliveries are listed, those of each state in their order, however many came at the same moment. It stands for
 * two indexes that did not have that order. A step of its own, as those of `023-search.ts`.
 */
export const deliveriesByState: Migration = {
  version: '046-deliveries-by-state',
  sql: `
CREATE INDEX IF NOT EXISTS webhook_deliveries_by_state ON webhook_deliveries (endpoint_id,
  (CASE WHEN delivered_at IS NOT NULL THEN 'delivered' WHEN next_at IS NOT NULL THEN 'waiting' ELSE 'failed' END),
  created_at DESC, event_id DESC);
DROP INDEX webhook_deliveries_newest;
DROP INDEX webhook_deliveries_failed;`,
}
