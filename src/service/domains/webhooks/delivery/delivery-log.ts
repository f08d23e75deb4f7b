import type { Actor } from '../../../../contract/dashboard/audit.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Position } from '../../../platform/listing/cursor.ts'
import type { WriteEvent } from '../../../platform/write-event.ts'
import type { Delivery, DeliveryState } from '../webhook.ts'
import { aboutEvents, ofWebhook, replay, resend, undelivered } from './delivery-log-sql.ts'
import type { DeliveryRow } from './delivery-log-sql.ts'
import { DELIVERY_STATES } from './delivery-state-sql.ts'

/** Which of a webhook's deliveries are listed, newest first. */
export interface DeliveryFilter {
  status: DeliveryState | null
  /** Those after this place. */
  after: Position | null
  limit: number
}

/** What a merchant's webhooks are sent again: what failed, all since a time, or one event. */
export interface ReplaySelection {
  since: Date | null
  eventId: string | null
}

/** What became of deliveries, and another chance for them. */
export interface DeliveryLog {
  /** Of these events, to this merchant's webhooks. */
  aboutEvents: (merchantId: string, eventIds: readonly string[]) => Promise<(Delivery & { url: string })[]>
  ofWebhook: (webhookId: string, filter: DeliveryFilter) => Promise<Delivery[]>
  /** Makes one due at once, delivered before or not; null where it is not there, or the webhook is disabled. */
  resend: (
    merchantId: string,
    webhookId: string,
    eventId: string,
    act: { id: string; actor: Actor },
  ) => Promise<Delivery | null>
  /** A merchant's that were tried and have not arrived. */
  undelivered: (merchantId: string) => Promise<(Delivery & { url: string })[]>
  /** Makes them due at once, delivered before or not; how many there are. `act`: its own event's id and actor. */
  replay: (
    merchantId: string,
    selection: ReplaySelection,
    act: { id: string; actor: Actor },
  ) => Promise<number>
}

export function createDeliveryLog(database: Database, writeEvent: WriteEvent): DeliveryLog {
  const replayAgain = replay(writeEvent)
  const sendAgain = resend(writeEvent)
  return {
    aboutEvents: async (merchantId, eventIds) =>
      (await database.run(aboutEvents, { merchant_id: merchantId, event_ids: eventIds })).map(toDelivery),
    async ofWebhook(webhookId, { status, after, limit }) {
      const rows = await database.run(ofWebhook, {
        webhook_id: webhookId,
        states: status === null ? DELIVERY_STATES : [status],
        after_created_at: after?.createdAt ?? null,
        after_id: after?.id ?? null,
        limit,
      })
      return rows.map(toDelivery)
    },
    async resend(merchantId, webhookId, eventId, act) {
      const values = { ...act, merchant_id: merchantId, webhook_id: webhookId, event_id: eventId }
      const [row] = await database.run(sendAgain, values)
      return row === undefined ? null : toDelivery(row)
    },
    undelivered: async (merchantId) =>
      (await database.run(undelivered, { merchant_id: merchantId })).map(toDelivery),
    async replay(merchantId, { since, eventId }, { id, actor }) {
      const values = { merchant_id: merchantId, since, event_id: eventId, id, actor }
      const [row] = await database.run(replayAgain, values)
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
