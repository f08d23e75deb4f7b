import type { Database } from '../database/database.ts'
import * as sql from './delivery-sql.ts'
import type { DueDelivery } from './webhook.ts'
import type { WriteEvent } from './webhook-store.ts'

/** Events on their way to webhooks, in SQL. */
export interface DeliveryStore {
  /** What is due, for this process alone for 60 s: at most `most`, `mostEach` of a webhook, none of the `busy` ones. */
  takeDue: (busy: readonly string[], most: number, mostEach: number) => Promise<DueDelivery[]>
  delivered: (delivery: DueDelivery, status: number) => Promise<void>
  /** `delay`: seconds until the next attempt; null gives it up. */
  failed: (delivery: DueDelivery, failure: Failure, delay: number | null) => Promise<void>
  /** The server said 410: nothing is sent there any more. */
  disable: (delivery: DueDelivery, eventId: string) => Promise<void>
  deleteOld: () => Promise<void>
}

export interface Failure {
  /** HTTP status of the answer, if there was one. */
  status: number | null
  fault: string
}

export function createDeliveryStore(database: Database, writeEvent: WriteEvent): DeliveryStore {
  const disable = sql.disableWebhook(writeEvent)
  return {
    async takeDue(busy, most, mostEach) {
      return (await database.run(sql.takeDue, [busy, most, mostEach])).map(toDueDelivery)
    },
    async delivered({ webhook, event }, status) {
      await database.run(sql.markDelivered, [webhook.id, event.id, status])
    },
    async failed({ webhook, event, attempts }, { status, fault }, delay) {
      await database.run(sql.markFailed, [webhook.id, event.id, status, fault, delay, attempts])
    },
    async disable({ webhook, event }, eventId) {
      await database.run(disable, [webhook.id, event.id, eventId])
    },
    async deleteOld() {
      await database.run(sql.deleteOldDeliveries, [])
    },
  }
}

function toDueDelivery(row: sql.DueRow): DueDelivery {
  const { wrapped_data_key: wrappedDataKey, master_key_id: masterKeyId, secret: text } = row
  const secret = { masterKeyId, wrappedDataKey, text }
  return {
    webhook: { id: row.webhook_id, merchantId: row.merchant_id, url: row.url, secret },
    event: { id: row.event_id, type: row.type, subject: row.subject, createdAt: row.created_at },
    attempts: row.attempts,
  }
}
