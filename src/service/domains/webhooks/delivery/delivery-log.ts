import type { Database } from '../../../platform/database/database.ts'
import type { WriteEvent } from '../../../platform/write-event.ts'
import {
  arrayOf,
  bigint,
  integer,
  nullable,
  text,
  timestamptz,
} from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { Delivery } from '../webhook.ts'
import { wantsEvent } from './add-deliveries.ts'

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

const deliveries = `
  SELECT w.id AS webhook_id, w.url, e.id AS event_id, e.type, e.subject, d.attempts, d.last_status, d.last_fault,
         d.next_at, d.delivered_at, d.created_at
  FROM webhook_endpoints w JOIN webhook_deliveries d ON d.endpoint_id = w.id JOIN events e ON e.id = d.event_id`

const ofWebhook = statement({
  name: 'list_deliveries',
  values: { webhook_id: text },
  columns: deliveryColumns,
  sql: `${deliveries} WHERE w.id = :webhook_id ORDER BY d.created_at DESC, e.seq DESC LIMIT 100`,
})
const undelivered = statement({
  name: 'list_undelivered',
  values: { merchant_id: text },
  columns: deliveryColumns,
  sql: `
    ${deliveries} WHERE w.merchant_id = :merchant_id AND d.delivered_at IS NULL AND d.attempts > 0
    ORDER BY e.seq DESC LIMIT 1000`,
})
const aboutEvents = statement({
  name: 'list_deliveries_about_events',
  values: { merchant_id: text, event_ids: arrayOf(text) },
  columns: deliveryColumns,
  sql: `${deliveries} WHERE w.merchant_id = :merchant_id AND d.event_id = ANY (:event_ids) ORDER BY d.created_at, w.id`,
})
/** Events since a time, or one event; without either, those that were given up. */
const replay = (writeEvent: WriteEvent) => {
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
        SELECT w.id, e.id FROM events e JOIN webhook_endpoints w ON w.merchant_id = e.merchant_id
        WHERE e.merchant_id = :merchant_id AND w.disabled_at IS NULL AND ${wantsEvent('w', 'e')}
          AND (:since::timestamptz IS NULL OR e.created_at >= :since) AND (:event_id::text IS NULL OR e.id = :event_id)
          AND (coalesce(:since::text, :event_id) IS NOT NULL OR EXISTS (
            SELECT 1 FROM webhook_deliveries
            WHERE endpoint_id = w.id AND event_id = e.id AND gave_up_at IS NOT NULL))
        ON CONFLICT (endpoint_id, event_id)
          DO UPDATE SET attempts = 0, next_at = now(), delivered_at = NULL, gave_up_at = NULL
        RETURNING event_id
      ), counted AS (SELECT count(*) AS count FROM again),
      event AS (${event})
      SELECT count FROM counted`,
  })
}

/** What a merchant's webhooks are sent again: what failed, all since a time, or one event. */
export interface ReplaySelection {
  since: Date | null
  eventId: string | null
}

/** What became of deliveries, and another chance for them. */
export interface DeliveryLog {
  /** A webhook's 100 newest. */
  ofWebhook: (webhookId: string) => Promise<Delivery[]>
  /** Of these events, to this merchant's webhooks. */
  aboutEvents: (merchantId: string, eventIds: readonly string[]) => Promise<(Delivery & { url: string })[]>
  /** A merchant's that were tried and have not arrived. */
  undelivered: (merchantId: string) => Promise<(Delivery & { url: string })[]>
  /** Makes them due at once, delivered before or not; how many there are. `act`: its own event's id and actor. */
  replay: (
    merchantId: string,
    selection: ReplaySelection,
    act: { id: string; actor: string },
  ) => Promise<number>
}

export function createDeliveryLog(database: Database, writeEvent: WriteEvent): DeliveryLog {
  const replayAgain = replay(writeEvent)
  return {
    ofWebhook: async (webhookId) =>
      (await database.run(ofWebhook, { webhook_id: webhookId })).map(toDelivery),
    aboutEvents: async (merchantId, eventIds) =>
      (await database.run(aboutEvents, { merchant_id: merchantId, event_ids: eventIds })).map(toDelivery),
    undelivered: async (merchantId) =>
      (await database.run(undelivered, { merchant_id: merchantId })).map(toDelivery),
    async replay(merchantId, { since, eventId }, { id, actor }) {
      const values = { merchant_id: merchantId, since, event_id: eventId, id, actor }
      const [row] = await database.run(replayAgain, values)
      return row?.count ?? 0
    },
  }
}

function toDelivery(row: ValuesOf<typeof deliveryColumns>): Delivery & { url: string } {
  return {
    webhookId: row.webhook_id,
    url: row.url,
    eventId: row.event_id,
    eventType: row.type,
    subject: row.subject,
    attempts: row.attempts,
    lastStatus: row.last_status,
    lastFault: row.last_fault,
    nextAt: row.next_at,
    deliveredAt: row.delivered_at,
    createdAt: row.created_at,
  }
}
