/** A delivery for each webhook that wants an event of `from`, as SQL that runs where events are sealed. */
export const addDeliveries = ({ from }: { from: string }): string =>
  `INSERT INTO webhook_deliveries (endpoint_id, event_id)
   SELECT w.id, ${from}.id FROM ${from} JOIN webhook_endpoints w ON w.merchant_id = ${from}.merchant_id
   WHERE w.disabled_at IS NULL AND ${from}.type = ANY (w.event_types)`
