import { TEST_EVENT } from '../../../contract/api/webhook.ts'
import type { WebhookEventType } from '../../../contract/api/webhook.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import type { Database } from '../../platform/database/database.ts'
import {
  arrayOf,
  bigint,
  bytea,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { SealedText } from '../../platform/vault/sealed-text.ts'
import type { Webhook } from './webhook.ts'

/** A webhook's row; its table is called `webhook_endpoints`, and its id in other tables `endpoint_id`. */
const webhookColumns = {
  id: text,
  merchant_id: text,
  url: text,
  event_types: nullable(arrayOf(textOf<WebhookEventType>())),
  created_at: timestamptz,
  disabled_at: nullable(timestamptz),
}
const columns = Object.keys(webhookColumns).join(', ')

const actTypes = { event_id: text, actor: text }
const eventParts = {
  id: ':event_id',
  merchant: 'merchant_id',
  subject: 'id',
  actor: ':actor',
  facts: "jsonb_build_object('url', url, 'events', coalesce(to_jsonb(event_types), '\"all\"'))",
}

/** Those who make webhooks of one merchant wait for each other here: each counts what the one before it has made. */
const waitForTurn = statement({
  name: 'wait_to_add_webhook',
  values: { merchant_id: text },
  columns: {},
  sql: 'SELECT FROM merchants WHERE id = :merchant_id FOR NO KEY UPDATE',
})
/** A merchant that has `most` webhooks gets no other. */
const addWebhook = (writeEvent: WriteEvent) =>
  statement({
    name: 'add_webhook',
    values: {
      id: text,
      merchant_id: text,
      url: text,
      event_types: nullable(arrayOf(textOf<WebhookEventType>())),
      master_key_id: text,
      wrapped_data_key: bytea,
      secret: bytea,
      most: bigint,
      ...actTypes,
    },
    columns: webhookColumns,
    sql: `
      WITH added AS (
        INSERT INTO webhook_endpoints (id, merchant_id, url, event_types, master_key_id, wrapped_data_key, secret)
        SELECT :id, :merchant_id, :url, :event_types, :master_key_id, :wrapped_data_key, :secret
        WHERE (SELECT count(*) FROM webhook_endpoints WHERE merchant_id = :merchant_id) < :most
        RETURNING ${columns}
      ), event AS (${writeEvent({ ...eventParts, type: "'webhook.added'", from: 'added' })})
      SELECT ${columns} FROM added`,
  })
const removeWebhook = (writeEvent: WriteEvent) =>
  statement({
    name: 'remove_webhook',
    values: { id: text, merchant_id: text, ...actTypes },
    columns: webhookColumns,
    sql: `
      WITH removed AS (
        DELETE FROM webhook_endpoints WHERE id = :id AND merchant_id = :merchant_id RETURNING ${columns}
      ), undelivered AS (DELETE FROM webhook_deliveries USING removed WHERE endpoint_id = removed.id),
      event AS (${writeEvent({ ...eventParts, type: "'webhook.removed'", from: 'removed' })})
      SELECT ${columns} FROM removed`,
  })
const findWebhook = statement({
  name: 'find_webhook',
  values: { id: text },
  columns: webhookColumns,
  sql: `SELECT ${columns} FROM webhook_endpoints WHERE id = :id`,
})
/** An event about the webhook, for that webhook alone. */
const addTestEvent = (writeEvent: WriteEvent) =>
  statement({
    name: 'add_webhook_test',
    values: { id: text, merchant_id: text, ...actTypes },
    columns: { created_at: timestamptz },
    sql: `
      WITH tested AS (
        SELECT id, merchant_id, url FROM webhook_endpoints
        WHERE id = :id AND merchant_id = :merchant_id AND disabled_at IS NULL
      ), event AS (${writeEvent({
        id: ':event_id',
        merchant: 'merchant_id',
        type: `'${TEST_EVENT}'`,
        subject: 'id',
        actor: ':actor',
        facts: "jsonb_build_object('url', url)",
        from: 'tested',
      })})
      SELECT now()::timestamptz(3) AS created_at FROM tested`,
  })
const listWebhooks = statement({
  name: 'list_webhooks',
  values: { merchant_id: text },
  columns: webhookColumns,
  sql: `SELECT ${columns} FROM webhook_endpoints WHERE merchant_id = :merchant_id ORDER BY created_at, id`,
})

/** The event that is written with a change: its own id, and who makes the change. */
interface WrittenAct {
  id: string
  actor: string
}

/** A merchant's webhooks in SQL. */
export interface WebhookStore {
  /** Null when the merchant has `most` of them already. */
  add: (webhook: NewWebhook, most: number, act: WrittenAct) => Promise<Webhook | null>
  list: (merchantId: string) => Promise<Webhook[]>
  /** Of any merchant. */
  find: (id: string) => Promise<Webhook | null>
  /** Writes an event for this webhook alone; when that was, or null where it is not there or disabled. */
  addTestEvent: (merchantId: string, id: string, act: WrittenAct) => Promise<Date | null>
  /** With all that was still to be sent there; null when it is not there. */
  remove: (merchantId: string, id: string, act: WrittenAct) => Promise<Webhook | null>
}

export type NewWebhook = Pick<Webhook, 'id' | 'merchantId' | 'url' | 'eventTypes'> & { secret: SealedText }

export function createWebhookStore(database: Database, writeEvent: WriteEvent): WebhookStore {
  const add = addWebhook(writeEvent)
  const remove = removeWebhook(writeEvent)
  const addTest = addTestEvent(writeEvent)
  return {
    async add({ id, merchantId, url, eventTypes, secret }, most, act) {
      const [row] = await database.transaction(async (queries) => {
        await queries.run(waitForTurn, { merchant_id: merchantId })
        return queries.run(add, {
          id,
          merchant_id: merchantId,
          url,
          event_types: eventTypes,
          master_key_id: secret.masterKeyId,
          wrapped_data_key: secret.wrappedDataKey,
          secret: secret.text,
          most,
          ...toValues(act),
        })
      })
      return row === undefined ? null : toWebhook(row)
    },
    list: async (merchantId) =>
      (await database.run(listWebhooks, { merchant_id: merchantId })).map(toWebhook),
    async find(id) {
      const [row] = await database.run(findWebhook, { id })
      return row === undefined ? null : toWebhook(row)
    },
    async addTestEvent(merchantId, id, act) {
      const [row] = await database.run(addTest, { id, merchant_id: merchantId, ...toValues(act) })
      return row?.created_at ?? null
    },
    async remove(merchantId, id, act) {
      const [row] = await database.run(remove, { id, merchant_id: merchantId, ...toValues(act) })
      return row === undefined ? null : toWebhook(row)
    },
  }
}

const toValues = ({ id: event_id, actor }: WrittenAct) => ({ event_id, actor })

function toWebhook(row: ValuesOf<typeof webhookColumns>): Webhook {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    url: row.url,
    eventTypes: row.event_types,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
  }
}
