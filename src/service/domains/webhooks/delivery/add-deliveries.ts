import { TEST_EVENT, WebhookEventType } from '../../../../contract/api/webhook.ts'

const ALL_TYPES = `ARRAY[${WebhookEventType.options.map((type) => `'${type}'`).join(', ')}]`

/**
 * The SQL condition that a webhook wants an event. A webhook without named types gets every type that webhooks can have; the audit
 * log has others, such as those of keys. A test event is for its own webhook alone.
 */
export const wantsEvent = (webhook: string, event: string): string =>
  `(${event}.type = ANY (coalesce(${webhook}.event_types, ${ALL_TYPES}))
    OR (${event}.type = '${TEST_EVENT}' AND ${event}.subject = ${webhook}.id))`

/** A delivery for each webhook that wants an event of `from`, as SQL that runs where events are sealed. */
export const addDeliveries = ({ from }: { from: string }): string =>
  `INSERT INTO webhook_deliveries (endpoint_id, event_id)
   SELECT w.id, ${from}.id FROM ${from} JOIN webhook_endpoints w ON w.merchant_id = ${from}.merchant_id
   WHERE w.disabled_at IS NULL AND ${wantsEvent('w', from)}`
