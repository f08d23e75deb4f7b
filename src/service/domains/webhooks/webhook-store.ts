import type { WebhookEventType } from '../../../contract/api/webhook.ts'
import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SealedText } from '../../platform/vault/sealed-text.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import type { Webhook } from './webhook.ts'

interface WebhookRow {
  id: string
  merchant_id: string
  url: string
  event_types: WebhookEventType[]
  created_at: Date
  disabled_at: Date | null
}

const columns = 'id, merchant_id, url, event_types, created_at, disabled_at'
const named = { merchant: 'merchant_id', subject: 'subject', actor: "'merchant'" }
const facts = "jsonb_build_object('url', url, 'events', to_jsonb(event_types))"

/** Those who make webhooks of one merchant wait for each other here: each counts what the one before it has made. */
const waitForTurn = statement('wait_to_add_webhook', 'SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE')
/** A merchant that has `$8` webhooks gets no other. */
const addWebhook = (writeEvent: WriteEvent) =>
  statement<WebhookRow>(
    'add_webhook',
    `WITH added AS (
       INSERT INTO webhook_endpoints (id, merchant_id, url, event_types, master_key_id, wrapped_data_key, secret)
       SELECT $1, $2, $3, $4, $5, $6, $7 WHERE (SELECT count(*) FROM webhook_endpoints WHERE merchant_id = $2) < $8
       RETURNING ${columns}
     ), event AS (${writeEvent({ ...named, id: '$9', type: "'webhook.added'", subject: 'id', facts, from: 'added' })})
     SELECT ${columns} FROM added`,
  )
const removeWebhook = (writeEvent: WriteEvent) =>
  statement<WebhookRow>(
    'remove_webhook',
    `WITH removed AS (DELETE FROM webhook_endpoints WHERE id = $1 AND merchant_id = $2 RETURNING ${columns}),
     undelivered AS (DELETE FROM webhook_deliveries USING removed WHERE endpoint_id = removed.id),
     event AS (${writeEvent({ ...named, id: '$3', type: "'webhook.removed'", subject: 'id', facts, from: 'removed' })})
     SELECT ${columns} FROM removed`,
  )
const listWebhooks = statement<WebhookRow>(
  'list_webhooks',
  `SELECT ${columns} FROM webhook_endpoints WHERE merchant_id = $1 ORDER BY created_at, id`,
)

/** A merchant's webhooks in SQL. */
export interface WebhookStore {
  /** Null when the merchant has `most` of them already. `eventId`: of the event that is written with it. */
  add: (webhook: NewWebhook, most: number, eventId: string) => Promise<Webhook | null>
  list: (merchantId: string) => Promise<Webhook[]>
  /** With all that was still to be sent there; null when it is not there. */
  remove: (merchantId: string, id: string, eventId: string) => Promise<Webhook | null>
}

export type NewWebhook = Pick<Webhook, 'id' | 'merchantId' | 'url' | 'eventTypes'> & { secret: SealedText }

export function createWebhookStore(database: Database, writeEvent: WriteEvent): WebhookStore {
  const add = addWebhook(writeEvent)
  const remove = removeWebhook(writeEvent)
  return {
    async add({ id, merchantId, url, eventTypes, secret }, most, eventId) {
      const { masterKeyId, wrappedDataKey, text } = secret
      const sealed = [masterKeyId, wrappedDataKey, text]
      const values = [id, merchantId, url, eventTypes, ...sealed, most, eventId]
      const [row] = await database.transaction(async (queries) => {
        await queries.run(waitForTurn, [merchantId])
        return queries.run(add, values)
      })
      return row === undefined ? null : toWebhook(row)
    },
    list: async (merchantId) => (await database.run(listWebhooks, [merchantId])).map(toWebhook),
    async remove(merchantId, id, eventId) {
      const [row] = await database.run(remove, [id, merchantId, eventId])
      return row === undefined ? null : toWebhook(row)
    },
  }
}

function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    url: row.url,
    eventTypes: row.event_types,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
  }
}
