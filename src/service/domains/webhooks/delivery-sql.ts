import { statement } from '../../platform/database/database.ts'
import type { WriteEvent } from '../../platform/write-event.ts'

/** How many seconds a process may take for one attempt before another process may make the next. */
export const LEASE_SECONDS = 60

/** A delivery for each webhook that wants an event of `from`, as SQL that runs where events are sealed. */
export const addDeliveries = ({ from }: { from: string }): string =>
  `INSERT INTO webhook_deliveries (endpoint_id, event_id)
   SELECT w.id, ${from}.id FROM ${from} JOIN webhook_endpoints w ON w.merchant_id = ${from}.merchant_id
   WHERE w.disabled_at IS NULL AND ${from}.type = ANY (w.event_types)`

export interface DueRow {
  webhook_id: string
  merchant_id: string
  url: string
  master_key_id: string
  wrapped_data_key: Buffer
  secret: Buffer
  event_id: string
  type: string
  subject: string
  created_at: Date
  attempts: number
}

/**
 * What may be sent now, of each webhook what is due first: as much of it as there is room for (`$1` and `$2`: webhooks and
 * their room; `$3`: that of every other), and of all of them some four times what can begin at all (`$4`), to choose from.
 * A webhook without room costs nothing, and each other one a look into the index.
 */
export const findDue = statement<{ merchant_id: string; endpoint_id: string; event_id: string }>(
  'find_due_deliveries',
  `WITH room AS (SELECT * FROM unnest($1::text[], $2::integer[]) AS room (id, most)),
   waiting AS (
     SELECT w.id, w.merchant_id,
            least(coalesce(room.most, $3), ceil(4.0 * $4 / count(*) OVER ()))::integer AS most
     FROM webhook_endpoints w LEFT JOIN room ON room.id = w.id CROSS JOIN LATERAL (
       SELECT FROM webhook_deliveries WHERE endpoint_id = w.id AND next_at <= now() LIMIT 1
     ) due
     WHERE w.disabled_at IS NULL AND coalesce(room.most, $3) > 0
   )
   SELECT waiting.merchant_id, d.endpoint_id, d.event_id FROM waiting CROSS JOIN LATERAL (
     SELECT endpoint_id, event_id FROM webhook_deliveries
     WHERE endpoint_id = waiting.id AND next_at <= now() ORDER BY next_at LIMIT waiting.most
   ) d`,
)
/** Of these, what is still due, each for one taker at a time. */
export const take = statement<DueRow>(
  'take_due_deliveries',
  `WITH due AS (
     SELECT d.endpoint_id, d.event_id
     FROM unnest($1::text[], $2::text[]) AS chosen (endpoint_id, event_id)
     JOIN webhook_deliveries d ON d.endpoint_id = chosen.endpoint_id AND d.event_id = chosen.event_id
     WHERE d.next_at <= now() FOR UPDATE OF d SKIP LOCKED
   ), taken AS (
     UPDATE webhook_deliveries d SET attempts = attempts + 1, next_at = now() + interval '${LEASE_SECONDS} seconds'
     FROM due WHERE d.endpoint_id = due.endpoint_id AND d.event_id = due.event_id
     RETURNING d.endpoint_id, d.event_id, d.attempts
   )
   SELECT w.id AS webhook_id, w.merchant_id, w.url, w.master_key_id, w.wrapped_data_key, w.secret,
          e.id AS event_id, e.type, e.subject, e.created_at, taken.attempts
   FROM taken JOIN webhook_endpoints w ON w.id = taken.endpoint_id JOIN events e ON e.id = taken.event_id
   ORDER BY e.seq`,
)
/** The attempt was cut short by the service itself: it does not count, and may be made again at once. */
export const giveBack = statement(
  'give_delivery_back',
  `UPDATE webhook_deliveries SET attempts = attempts - 1, next_at = now()
   WHERE endpoint_id = $1 AND event_id = $2 AND attempts = $3 AND delivered_at IS NULL AND next_at IS NOT NULL`,
)
/** How many are due and taken by nobody, and for how long the oldest has been, in seconds. */
export const countDue = statement<{ count: number; oldest: number }>(
  'count_due_deliveries',
  `SELECT count(*) AS count, coalesce(extract(epoch FROM now() - min(d.next_at)), 0)::float8 AS oldest
   FROM webhook_deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id
   WHERE d.next_at <= now() AND w.disabled_at IS NULL`,
)
export const markDelivered = statement(
  'mark_delivered',
  `UPDATE webhook_deliveries
   SET delivered_at = now(), next_at = NULL, gave_up_at = NULL, last_status = $3, last_fault = NULL
   WHERE endpoint_id = $1 AND event_id = $2 AND delivered_at IS NULL`,
)
/** `$5`: seconds until the next attempt, or null for none. Another process's later attempt counts before this one. */
export const markFailed = statement(
  'mark_delivery_failed',
  `UPDATE webhook_deliveries
   SET next_at = now() + $5 * interval '1 second', gave_up_at = CASE WHEN $5::float8 IS NULL THEN now() END,
       last_status = $3, last_fault = $4
   WHERE endpoint_id = $1 AND event_id = $2 AND attempts = $6 AND delivered_at IS NULL`,
)
/** Its server wants nothing any more: what still waits is given up. */
export const disableWebhook = (writeEvent: WriteEvent) =>
  statement(
    'disable_webhook',
    `WITH disabled AS (
       UPDATE webhook_endpoints SET disabled_at = now() WHERE id = $1 AND disabled_at IS NULL
       RETURNING id, merchant_id, url
     ), event AS (${writeEvent({
       id: '$3',
       merchant: 'merchant_id',
       type: "'webhook.disabled'",
       subject: 'id',
       actor: "'service'",
       facts: "jsonb_build_object('url', url, 'status', 410)",
       from: 'disabled',
     })})
     UPDATE webhook_deliveries
     SET next_at = NULL, gave_up_at = now(), last_fault = 'the server said 410 Gone',
         last_status = CASE WHEN event_id = $2 THEN 410 ELSE last_status END
     WHERE endpoint_id = $1 AND next_at IS NOT NULL`,
  )
/** What has come to its end 30 days ago. */
export const deleteOldDeliveries = statement(
  'delete_old_deliveries',
  `DELETE FROM webhook_deliveries
   WHERE next_at IS NULL AND endpoint_id IN (SELECT id FROM webhook_endpoints)
     AND created_at <= now() - interval '30 days'`,
)
