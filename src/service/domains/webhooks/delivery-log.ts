import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../platform/database/database.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import type { Delivery } from './webhook.ts'

interface DeliveryRow {
  webhook_id: string
  url: string
  event_id: string
  type: string
  subject: string
  attempts: number
  last_status: number | null
  last_fault: string | null
  next_at: Date | null
  delivered_at: Date | null
  created_at: Date
}

const deliveries = `
  SELECT w.id AS webhook_id, w.url, e.id AS event_id, e.type, e.subject, d.attempts, d.last_status, d.last_fault,
         d.next_at, d.delivered_at, d.created_at
  FROM webhook_endpoints w JOIN webhook_deliveries d ON d.endpoint_id = w.id JOIN events e ON e.id = d.event_id`

const ofWebhook = statement<DeliveryRow>(
  'list_deliveries',
  `${deliveries} WHERE w.id = $1 ORDER BY d.created_at DESC, e.seq DESC LIMIT 100`,
)
const undelivered = statement<DeliveryRow>(
  'list_undelivered',
  `${deliveries} WHERE w.merchant_id = $1 AND d.delivered_at IS NULL AND d.attempts > 0
   ORDER BY e.seq DESC LIMIT 1000`,
)
/** `$2`: events since then; `$3`: this one event; without either, those that were given up. */
const replay = (writeEvent: WriteEvent) =>
  statement<{ count: number }>(
    'replay_webhooks',
    `WITH again AS (
       INSERT INTO webhook_deliveries (endpoint_id, event_id)
       SELECT w.id, e.id FROM events e JOIN webhook_endpoints w ON w.merchant_id = e.merchant_id
       WHERE e.merchant_id = $1 AND w.disabled_at IS NULL AND e.type = ANY (w.event_types)
         AND ($2::timestamptz IS NULL OR e.created_at >= $2) AND ($3::text IS NULL OR e.id = $3)
         AND (coalesce($2::text, $3) IS NOT NULL OR EXISTS (
           SELECT 1 FROM webhook_deliveries
           WHERE endpoint_id = w.id AND event_id = e.id AND gave_up_at IS NOT NULL))
       ON CONFLICT (endpoint_id, event_id)
         DO UPDATE SET attempts = 0, next_at = now(), delivered_at = NULL, gave_up_at = NULL
       RETURNING event_id
     ), counted AS (SELECT count(*) AS count FROM again),
     event AS (${writeEvent({
       id: '$4',
       merchant: '$1',
       type: "'webhook.replayed'",
       subject: '$1',
       actor: '$5',
       facts: "jsonb_build_object('deliveries', count, 'since', $2::timestamptz, 'event', $3::text)",
       from: 'counted',
     })})
     SELECT count FROM counted`,
  )

/** What a merchant's webhooks are sent again: what failed, all since a time, or one event. */
export interface ReplayWish {
  since: Date | null
  eventId: string | null
}

/** What became of deliveries, and another chance for them. */
export interface DeliveryLog {
  /** A webhook's 100 newest. */
  ofWebhook: (webhookId: string) => Promise<Delivery[]>
  /** A merchant's that were tried and have not arrived. */
  undelivered: (merchantId: string) => Promise<(Delivery & { url: string })[]>
  /** Makes them due at once, delivered before or not; how many there are. `act`: its own event's id and actor. */
  replay: (merchantId: string, wish: ReplayWish, act: { id: string; actor: string }) => Promise<number>
}

export function createDeliveryLog(database: Database, writeEvent: WriteEvent): DeliveryLog {
  const replayAgain = replay(writeEvent)
  return {
    ofWebhook: async (webhookId) => (await database.run(ofWebhook, [webhookId])).map(toDelivery),
    undelivered: async (merchantId) => (await database.run(undelivered, [merchantId])).map(toDelivery),
    async replay(merchantId, { since, eventId }, { id, actor }) {
      const [row] = await database.run(replayAgain, [merchantId, since, eventId, id, actor])
      return row?.count ?? 0
    },
  }
}

function toDelivery(row: DeliveryRow): Delivery & { url: string } {
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
