import { TEST_EVENT } from '../../../contract/api/webhook.ts'
import type { WebhookEventType } from '../../../contract/api/webhook.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import {
  arrayOf,
  bigint,
  bool,
  bytea,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'

/** A webhook's row; its table is called `webhook_endpoints`, and its id in other tables `endpoint_id`. */
export const webhookColumns = {
  id: text,
  merchant_id: text,
  url: text,
  event_types: nullable(arrayOf(textOf<WebhookEventType>())),
  created_at: timestamptz,
  disabled_at: nullable(timestamptz),
  has_secret: bool,
  old_secret_ends_at: nullable(timestamptz),
}
export const columns = Object.keys(webhookColumns).join(', ')

/** The columns of a row of the table itself. */
export const ofRow = `
  id, merchant_id, url, event_types, created_at, disabled_at, secret IS NOT NULL AS has_secret,
  (SELECT max(ends_at) FROM webhook_former_secrets WHERE endpoint_id = webhook_endpoints.id AND ends_at > now())
    AS old_secret_ends_at`

export const actTypes = { event_id: text, actor: text }
export const eventParts = {
  id: ':event_id',
  merchant: 'merchant_id',
  subject: 'id',
  actor: ':actor',
  facts: "jsonb_build_object('url', url, 'events', coalesce(to_jsonb(event_types), '\"all\"'))",
}

/** Those who make webhooks of one merchant wait for each other here: each counts what the one before it has made. */
export const waitForTurn = statement({
  name: 'wait_to_add_webhook',
  values: { merchant_id: text },
  columns: {},
  sql: 'SELECT FROM merchants WHERE id = :merchant_id FOR NO KEY UPDATE',
})
/** A merchant that has `most` webhooks gets no other. */
export const addWebhook = (writeEvent: WriteEvent) =>
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
        RETURNING ${ofRow}
      ), event AS (${writeEvent({ ...eventParts, type: "'webhook.added'", from: 'added' })})
      SELECT ${columns} FROM added`,
  })
export const removeWebhook = (writeEvent: WriteEvent) =>
  statement({
    name: 'remove_webhook',
    values: { id: text, merchant_id: text, ...actTypes },
    columns: webhookColumns,
    sql: `
      WITH removed AS (
        DELETE FROM webhook_endpoints WHERE id = :id AND merchant_id = :merchant_id RETURNING ${ofRow}
      ), noted AS (INSERT INTO removed_webhooks (id) SELECT id FROM removed),
      secrets AS (DELETE FROM webhook_former_secrets USING removed WHERE endpoint_id = removed.id),
      event AS (${writeEvent({ ...eventParts, type: "'webhook.removed'", from: 'removed' })})
      SELECT ${columns} FROM removed`,
  })
export const findWebhook = statement({
  name: 'find_webhook',
  values: { id: text },
  columns: webhookColumns,
  sql: `SELECT ${ofRow} FROM webhook_endpoints WHERE id = :id`,
})
/** An event about the webhook, for that webhook alone. */
export const addTestEvent = (writeEvent: WriteEvent) =>
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
export const listWebhooks = statement({
  name: 'list_webhooks',
  values: { merchant_id: text },
  columns: webhookColumns,
  sql: `SELECT ${ofRow} FROM webhook_endpoints WHERE merchant_id = :merchant_id ORDER BY created_at, id`,
})
