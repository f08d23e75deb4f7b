import {
  arrayOf,
  bigint,
  integer,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { WriteEvent } from '../../../platform/write-event.ts'
import type { DeliveryState } from '../webhook.ts'
import { wantsEvent } from './add-deliveries.ts'
import { newestOf, STATE } from './delivery-state-sql.ts'

const deliveryColumns = {
  webhook_id: text,
  url: text,
  event_id: text,
  type: text,
  subject: text,
  attempts: integer,
  last_status: nullable(integer),
  last_fault: nullable(text),
  next_at: nullable(timestamptz),
  delivered_at: nullable(timestamptz),
  created_at: timestamptz,
}

/** What is shown of deliveries, which are a table or what was selected from it. */
const shown = (deliveries: string): string => `
  SELECT w.id AS webhook_id, w.url, e.id AS event_id, e.type, e.subject, d.attempts, d.last_status, d.last_fault,
         d.next_at, d.delivered_at, d.created_at
  FROM webhook_endpoints w JOIN ${deliveries} d ON d.endpoint_id = w.id JOIN events e ON e.id = d.event_id`
const deliveries = shown('webhook_deliveries')

/** A page of a webhook's deliveries that are in these states. */
export const ofWebhook = statement({
  name: 'list_deliveries_of_webhook',
  values: {
    webhook_id: text,
    states: arrayOf(textOf<DeliveryState>()),
    after_created_at: nullable(timestamptz),
    after_id: nullable(text),
    limit: bigint,
  },
  columns: deliveryColumns,
  sql: `
    ${shown(
      `(${newestOf({
        webhook: ':webhook_id',
        states: ':states::text[]',
        limit: ':limit',
        condition:
          "(created_at, event_id) < (coalesce(:after_created_at, 'infinity'::timestamptz), coalesce(:after_id, ''))",
      })})`,
    )}
    ORDER BY d.created_at DESC, d.event_id DESC`,
})
export const undelivered = statement({
  name: 'list_undelivered',
  values: { merchant_id: text },
  columns: deliveryColumns,
  sql: `
    SELECT shown.* FROM webhook_endpoints mine CROSS JOIN LATERAL (
      ${shown(`(${newestOf({ webhook: 'mine.id', states: "ARRAY['waiting', 'failed']", limit: '1000', condition: 'attempts > 0' })})`)}
    ) shown
    WHERE mine.merchant_id = :merchant_id ORDER BY shown.created_at DESC, shown.event_id DESC LIMIT 1000`,
})
export const aboutEvents = statement({
  name: 'list_deliveries_about_events',
  values: { merchant_id: text, event_ids: arrayOf(text) },
  columns: deliveryColumns,
  sql: `${deliveries} WHERE w.merchant_id = :merchant_id AND d.event_id = ANY (:event_ids) ORDER BY d.created_at, w.id`,
})
/** What is to be sent again to a webhook `w`: each of the three ways to say so has an index of its own. */
const CHOSEN = `
  SELECT id, type, subject FROM events
  WHERE merchant_id = w.merchant_id AND created_at >= :since AND (:event_id::text IS NULL OR id = :event_id)
  UNION ALL
  SELECT id, type, subject FROM events WHERE id = :event_id AND merchant_id = w.merchant_id AND :since::timestamptz IS NULL
  UNION ALL
  SELECT given_up.id, given_up.type, given_up.subject
  FROM webhook_deliveries JOIN events given_up ON given_up.id = event_id
  WHERE endpoint_id = w.id AND ${STATE} = 'failed' AND coalesce(:since::text, :event_id) IS NULL`

/** Events since a time, or one event; without either, those that were given up. */
export const replay = (writeEvent: WriteEvent) => {
  const event = writeEvent({
    id: ':id',
    merchant: ':merchant_id',
    type: "'webhook.replayed'",
    subject: ':merchant_id',
    actor: ':actor',
    facts: "jsonb_build_object('deliveries', count, 'since', :since::timestamptz, 'event', :event_id::text)",
    from: 'counted',
  })
  return statement({
    name: 'replay_webhooks',
    values: {
      merchant_id: text,
      since: nullable(timestamptz),
      event_id: nullable(text),
      id: text,
      actor: text,
    },
    columns: { count: bigint },
    sql: `
      WITH again AS (
        INSERT INTO webhook_deliveries (endpoint_id, event_id)
        SELECT w.id, e.id FROM webhook_endpoints w CROSS JOIN LATERAL (${CHOSEN}) e
        WHERE w.merchant_id = :merchant_id AND w.disabled_at IS NULL AND ${wantsEvent('w', 'e')}
        ON CONFLICT (endpoint_id, event_id)
          DO UPDATE SET attempts = 0, next_at = now(), delivered_at = NULL, gave_up_at = NULL
        RETURNING event_id
      ), counted AS (SELECT count(*) AS count FROM again),
      event AS (${event})
      SELECT count FROM counted`,
  })
}

/** One delivery, once more from its first attempt. */
export const resend = (writeEvent: WriteEvent) => {
  const event = writeEvent({
    id: ':id',
    merchant: ':merchant_id',
    type: "'webhook.replayed'",
    subject: 'endpoint_id',
    actor: ':actor',
    facts: "jsonb_build_object('deliveries', 1, 'since', NULL, 'event', event_id)",
    from: 'again',
  })
  return statement({
    name: 'resend_delivery',
    values: { id: text, merchant_id: text, webhook_id: text, event_id: text, actor: text },
    columns: deliveryColumns,
    sql: `
      WITH again AS (
        UPDATE webhook_deliveries d SET attempts = 0, next_at = now(), delivered_at = NULL, gave_up_at = NULL
        FROM webhook_endpoints w
        WHERE w.id = :webhook_id AND w.merchant_id = :merchant_id AND w.disabled_at IS NULL
          AND d.endpoint_id = w.id AND d.event_id = :event_id
        RETURNING d.*, w.url
      ), event AS (${event})
      SELECT again.endpoint_id AS webhook_id, again.url, e.id AS event_id, e.type, e.subject, again.attempts,
             again.last_status, again.last_fault, again.next_at, again.delivered_at, again.created_at
      FROM again JOIN events e ON e.id = again.event_id`,
  })
}

export type DeliveryRow = ValuesOf<typeof deliveryColumns>
