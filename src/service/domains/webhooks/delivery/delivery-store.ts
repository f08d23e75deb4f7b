import type { Database } from '../../../platform/database/database.ts'
import { countIn } from '../../../platform/jobs/batches.ts'
import { toCapacityValues } from '../../../platform/concurrency/fairness.ts'
import type { Capacity, Task } from '../../../platform/concurrency/fairness.ts'
import type { SealedText } from '../../../platform/vault/sealed-text.ts'
import type { WriteEvent } from '../../../platform/write-event.ts'
import * as deletion from './deletion-sql.ts'
import * as sql from './delivery-sql.ts'
import type { DueDelivery } from '../webhook.ts'

/** Events on their way to webhooks, in SQL. */
export interface DeliveryStore {
  /** What may be sent now, to choose from; of each webhook what is due first. */
  findDue: (capacity: Capacity) => Promise<DueTask[]>
  /** Of these, what is still due: for this process alone for 60 s. */
  take: (chosen: readonly DueTask[]) => Promise<DueDelivery[]>
  /** An attempt that was cut short by ourselves: it does not count, and is due at once. */
  giveBack: (delivery: DueDelivery) => Promise<void>
  /** How many are due and taken by no process, and how long the oldest has been due. */
  countDue: () => Promise<{ count: number; oldestSeconds: number }>
  delivered: (delivery: DueDelivery, status: number) => Promise<void>
  /** `delay`: seconds until the next attempt; null gives it up. */
  failed: (delivery: DueDelivery, failure: Failure, delay: number | null) => Promise<void>
  /** The server said 410: nothing is sent there any more. False where the webhook has another URL by now, or was disabled before. */
  disable: (delivery: DueDelivery, eventId: string) => Promise<boolean>
  /** Deletes some of what is 30 days old and was delivered or given up, or waits for a webhook that is disabled: how many. */
  deleteOld: () => Promise<number>
  /** Deletes some deliveries to webhooks that were removed: how many. */
  deleteRemoved: () => Promise<number>
}

/** An event that may be sent to a webhook, which is its target. */
export type DueTask = Task & { eventId: string }

export interface Failure {
  /** HTTP status of the answer, if there was one. */
  status: number | null
  fault: string
}

export function createDeliveryStore(database: Database, writeEvent: WriteEvent): DeliveryStore {
  const disable = sql.disableWebhook(writeEvent)
  return {
    async findDue(capacity) {
      const rows = await database.run(sql.findDue, toCapacityValues(capacity))
      return rows.map(({ merchant_id, webhook_id, event_id }) => toTask(merchant_id, webhook_id, event_id))
    },
    async take(chosen) {
      const values = {
        webhook_ids: chosen.map(({ targetId }) => targetId),
        event_ids: chosen.map(({ eventId }) => eventId),
      }
      return (await database.run(sql.take, values)).map(toDueDelivery)
    },
    async giveBack(delivery) {
      await database.run(sql.giveBack, { ...idsOf(delivery), attempts: delivery.attempts })
    },
    async countDue() {
      const [row] = await database.run(sql.countDue, {})
      return { count: row?.count ?? 0, oldestSeconds: row?.oldest ?? 0 }
    },
    async delivered(delivery, status) {
      await database.grouped.run(sql.markDelivered, { ...idsOf(delivery), status })
    },
    async failed(delivery, failure, delay) {
      const values = { ...idsOf(delivery), attempts: delivery.attempts, ...failure }
      if (delay === null) await database.run(sql.giveUp, values)
      else await database.grouped.run(sql.markFailed, { ...values, delay_seconds: delay })
    },
    async disable(delivery, eventId) {
      const values = { ...idsOf(delivery), url: delivery.webhook.url, disabled_event_id: eventId }
      return (await database.run(disable, values)).length > 0
    },
    deleteOld: async () => countIn(await database.run(deletion.deleteOldDeliveries, {})),
    async deleteRemoved() {
      const count = countIn(await database.run(deletion.deleteRemovedDeliveries, {}))
      if (count === 0) await database.run(deletion.forgetRemoved, {})
      return count
    },
  }
}

function idsOf({ webhook, event }: DueDelivery): { webhook_id: string; event_id: string } {
  return { webhook_id: webhook.id, event_id: event.id }
}

function toTask(merchantId: string, webhookId: string, eventId: string): DueTask {
  return { id: `${webhookId}/${eventId}`, merchantId, targetId: webhookId, eventId }
}

/** The task of a delivery that was taken. */
export function taskOf({ webhook, event }: DueDelivery): DueTask {
  return toTask(webhook.merchantId, webhook.id, event.id)
}

function toDueDelivery(row: sql.DueRow): DueDelivery {
  return {
    webhook: { id: row.webhook_id, merchantId: row.merchant_id, url: row.url, secrets: toSealed(row) },
    event: { id: row.event_id, type: row.type, subject: row.subject, createdAt: row.created_at },
    attempts: row.attempts,
  }
}

function toSealed(row: sql.DueRow): SealedText[] {
  return row.secrets.flatMap((text, place) => {
    const [masterKeyId, wrappedDataKey] = [row.master_key_ids[place], row.wrapped_data_keys[place]]
    return masterKeyId === undefined || wrappedDataKey === undefined
      ? []
      : [{ masterKeyId, wrappedDataKey, text }]
  })
}
