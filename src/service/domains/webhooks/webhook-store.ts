import { TEST_EVENT } from '../../../contract/api/webhook.ts'
import type { WebhookEventType, WebhookResource } from '../../../contract/api/webhook.ts'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import {
  arrayOf,
  bigint,
  bool,
  bytea,
  float8,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { eventSql } from '../../platform/events.ts'
import type { SealedText } from '../../platform/vault/vault.ts'
import { allows } from './delivery-store.ts'
import type { Webhook, WebhookPlace } from './webhook.ts'

/** The audit event of a change: its id, and who makes the change. */
export interface Act {
  id: string
  actor: Actor
}

type NewWebhook = Pick<Webhook, 'id' | 'merchantId' | 'url' | 'eventTypes'> & { secret: SealedText }

/** Null if the merchant has `max` webhooks already. */
export async function addWebhook(
  database: Database,
  { id, merchantId, url, eventTypes, secret }: NewWebhook,
  max: number,
  act: Act,
): Promise<Webhook | null> {
  const [row] = await database.transaction(async (queries) => {
    await queries.run(waitForTurn, { merchant_id: merchantId })
    return queries.run(insertWebhook, {
      id,
      merchant_id: merchantId,
      url,
      event_types: eventTypes,
      ...toSealedValues(secret),
      most: max,
      ...toValues(act),
    })
  })
  return toWebhook(row)
}

export async function listWebhooks(database: Database, merchantId: string): Promise<Webhook[]> {
  return (await database.run(selectWebhooks, { merchant_id: merchantId })).map((row) => toWebhook(row))
}

/** Finds any merchant's webhook. */
export async function findWebhook(database: Database, id: string): Promise<Webhook | null> {
  return toWebhook((await database.run(selectWebhook, { id }))[0])
}

/** What is undefined stays as it is. */
interface WebhookSettings {
  url: string | undefined
  /** Null: every type. */
  eventTypes: readonly WebhookEventType[] | null | undefined
  status: WebhookResource['status'] | undefined
}

/** Null if there is no such webhook. */
export async function changeWebhook(
  database: Database,
  { merchantId, id }: WebhookPlace,
  { url, eventTypes, status }: WebhookSettings,
  act: Act,
): Promise<Webhook | null> {
  const place = { id, merchant_id: merchantId }
  const settings = {
    url: url ?? null,
    changes_events: eventTypes !== undefined,
    event_types: eventTypes ?? null,
    status: status ?? null,
  }
  return database.transaction(async (queries) => {
    const [there] = await queries.run(lockWebhook, place)
    if (there === undefined) return null
    const values = { ...place, ...settings, was_disabled: there.is_disabled, ...toValues(act) }
    return toWebhook((await queries.run(updateWebhook, values))[0])
  })
}

/** A new secret; the one that it replaces signs too, for the overlap, under an id of its own. */
interface SecretRoll {
  secret: SealedText
  formerId: string
  overlapSeconds: number
  /** How many replaced secrets may sign at once. */
  maxFormer: number
}

/** Null if there is no such webhook. */
export async function replaceSecret(
  database: Database,
  { merchantId, id }: WebhookPlace,
  { secret, formerId, overlapSeconds, maxFormer }: SecretRoll,
  act: Act,
): Promise<Webhook | 'too many' | null> {
  return database.transaction(async (queries) => {
    const [there] = await queries.run(lockWebhook, { id, merchant_id: merchantId })
    if (there === undefined) return null
    const overlap = { id, overlap_seconds: overlapSeconds }
    await queries.run(shortenFormerSecrets, overlap)
    const [former] = await queries.run(countFormerSecrets, { id })
    if (overlapSeconds > 0 && (former?.count ?? 0) >= maxFormer) return 'too many'
    await queries.run(keepSecret, { ...overlap, former_id: formerId })
    const [row] = await queries.run(updateSecret, {
      ...overlap,
      ...toSealedValues(secret),
      ...toValues(act),
    })
    return toWebhook(row)
  })
}

/** Erases replaced secrets that no longer sign, with the keys that open them. */
export async function eraseEndedSecrets(database: Database): Promise<void> {
  await database.run(deleteEndedSecrets, {})
}

/** Writes a test event for this webhook alone and returns its time. Null if there is no such webhook, or it is disabled. */
export async function addTestEvent(
  database: Database,
  { merchantId, id }: WebhookPlace,
  act: Act,
): Promise<Date | null> {
  const values = { id, merchant_id: merchantId, ...toValues(act) }
  const [row] = await database.run(insertTestEvent, values)
  return row?.created_at ?? null
}

/** Removes a webhook with all that was still to be sent there. Null if there is no such webhook. */
export async function removeWebhook(
  database: Database,
  { merchantId, id }: WebhookPlace,
  act: Act,
): Promise<Webhook | null> {
  const values = { id, merchant_id: merchantId, ...toValues(act) }
  return toWebhook((await database.run(deleteWebhook, values))[0])
}

const webhookColumns = {
  id: text,
  merchant_id: text,
  url: text,
  event_types: nullable(arrayOf(textOf<WebhookEventType>())),
  created_at: timestamptz,
  disabled_at: nullable(timestamptz),
  has_secret: bool,
  old_secret_ends_at: nullable(timestamptz),
}
const columns = Object.keys(webhookColumns).join(', ')

/** Selects the columns of a row of the table. */
const ofRow = `
  id, merchant_id, url, event_types, created_at, disabled_at, secret IS NOT NULL AS has_secret,
  (SELECT max(ends_at) FROM webhook_former_secrets WHERE webhook_id = webhooks.id AND ends_at > now())
    AS old_secret_ends_at`

const actTypes = { event_id: text, actor: text }
const eventParts = {
  id: ':event_id',
  merchant: 'merchant_id',
  subject: 'id',
  actor: ':actor',
  facts: "jsonb_build_object('url', url, 'events', coalesce(to_jsonb(event_types), '\"all\"'))",
}

/** Makes additions for one merchant wait for one another, so that each counts what the one before has added. */
const waitForTurn = statement({
  name: 'wait_to_add_webhook',
  values: { merchant_id: text },
  columns: {},
  sql: 'SELECT FROM merchants WHERE id = :merchant_id FOR NO KEY UPDATE',
})

const insertWebhook = statement({
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
      INSERT INTO webhooks (id, merchant_id, url, event_types, master_key_id, wrapped_data_key, secret)
      SELECT :id, :merchant_id, :url, :event_types, :master_key_id, :wrapped_data_key, :secret
      WHERE (SELECT count(*) FROM webhooks WHERE merchant_id = :merchant_id) < :most
      RETURNING ${ofRow}
    ), event AS (${eventSql({ ...eventParts, type: "'webhook.added'", from: 'added' })})
    SELECT ${columns} FROM added`,
})

const deleteWebhook = statement({
  name: 'remove_webhook',
  values: { id: text, merchant_id: text, ...actTypes },
  columns: webhookColumns,
  sql: `
    WITH removed AS (
      DELETE FROM webhooks WHERE id = :id AND merchant_id = :merchant_id RETURNING ${ofRow}
    ), noted AS (INSERT INTO removed_webhooks (id) SELECT id FROM removed),
    secrets AS (DELETE FROM webhook_former_secrets USING removed WHERE webhook_id = removed.id),
    event AS (${eventSql({ ...eventParts, type: "'webhook.removed'", from: 'removed' })})
    SELECT ${columns} FROM removed`,
})

const selectWebhook = statement({
  name: 'find_webhook',
  values: { id: text },
  columns: webhookColumns,
  sql: `SELECT ${ofRow} FROM webhooks WHERE id = :id`,
})

const insertTestEvent = statement({
  name: 'add_webhook_test',
  values: { id: text, merchant_id: text, ...actTypes },
  columns: { created_at: timestamptz },
  sql: `
    WITH tested AS (
      SELECT id, merchant_id, url FROM webhooks
      WHERE id = :id AND merchant_id = :merchant_id AND disabled_at IS NULL
    ), event AS (${eventSql({
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

const selectWebhooks = statement({
  name: 'list_webhooks',
  values: { merchant_id: text },
  columns: webhookColumns,
  sql: `SELECT ${ofRow} FROM webhooks WHERE merchant_id = :merchant_id ORDER BY created_at, id`,
})

/**
 * A null value leaves what there is. Disabling gives up what waits for the webhook; enabling does so too, for events that were sealed
 * while it was being disabled.
 */
const updateWebhook = statement({
  name: 'change_webhook',
  values: {
    id: text,
    merchant_id: text,
    url: nullable(text),
    changes_events: bool,
    event_types: nullable(arrayOf(textOf<WebhookEventType>())),
    status: nullable(textOf<WebhookResource['status']>()),
    was_disabled: bool,
    ...actTypes,
  },
  columns: webhookColumns,
  sql: `
    WITH changed AS (
      UPDATE webhooks
      SET url = coalesce(:url, url), event_types = CASE WHEN :changes_events THEN :event_types::text[] ELSE event_types END,
          disabled_at = CASE :status::text WHEN 'enabled' THEN NULL WHEN 'disabled' THEN coalesce(disabled_at, now())
                        ELSE disabled_at END
      WHERE id = :id AND merchant_id = :merchant_id RETURNING ${ofRow}
    ), given_up AS (
      UPDATE webhook_deliveries SET next_at = NULL, gave_up_at = now(), last_fault = 'the webhook was disabled'
      FROM changed
      WHERE webhook_id = changed.id AND (changed.disabled_at IS NOT NULL OR :was_disabled) AND ${allows('disable')}
    ), event AS (${eventSql({
      ...eventParts,
      type: "'webhook.changed'",
      facts: `${eventParts.facts} || jsonb_build_object(
        'status', CASE WHEN disabled_at IS NULL THEN 'enabled' ELSE 'disabled' END)`,
      from: 'changed',
    })})
    SELECT ${columns} FROM changed`,
})

/** Makes changes of one webhook, and of its secret, wait for one another. */
const lockWebhook = statement({
  name: 'lock_webhook',
  values: { id: text, merchant_id: text },
  columns: { is_disabled: bool },
  sql: `SELECT disabled_at IS NOT NULL AS is_disabled FROM webhooks
        WHERE id = :id AND merchant_id = :merchant_id FOR UPDATE`,
})

/** Earlier replaced secrets sign no longer than the overlap. */
const shortenFormerSecrets = statement({
  name: 'shorten_former_webhook_secrets',
  values: { id: text, overlap_seconds: float8 },
  columns: {},
  sql: `
    UPDATE webhook_former_secrets SET ends_at = least(ends_at, date_trunc('milliseconds', now()) + :overlap_seconds * interval '1 second')
    WHERE webhook_id = :id`,
})

/** Keeps the secret that is about to be replaced, for the overlap. */
const keepSecret = statement({
  name: 'keep_webhook_secret',
  values: { id: text, former_id: text, overlap_seconds: float8 },
  columns: {},
  sql: `
    INSERT INTO webhook_former_secrets (id, webhook_id, merchant_id, master_key_id, wrapped_data_key, secret, ends_at)
    SELECT :former_id, id, merchant_id, master_key_id, wrapped_data_key, secret, now() + :overlap_seconds * interval '1 second'
    FROM webhooks WHERE id = :id AND secret IS NOT NULL AND :overlap_seconds > 0`,
})

const countFormerSecrets = statement({
  name: 'count_former_webhook_secrets',
  values: { id: text },
  columns: { count: bigint },
  sql: 'SELECT count(*) AS count FROM webhook_former_secrets WHERE webhook_id = :id AND ends_at > now()',
})

const updateSecret = statement({
  name: 'replace_webhook_secret',
  values: {
    id: text,
    master_key_id: text,
    wrapped_data_key: bytea,
    secret: bytea,
    overlap_seconds: bigint,
    ...actTypes,
  },
  columns: webhookColumns,
  sql: `
    WITH replaced AS (
      UPDATE webhooks SET master_key_id = :master_key_id, wrapped_data_key = :wrapped_data_key, secret = :secret
      WHERE id = :id RETURNING ${ofRow}
    ), event AS (${eventSql({
      ...eventParts,
      type: "'webhook.secret_rolled'",
      facts: "jsonb_build_object('url', url, 'overlap_seconds', :overlap_seconds::bigint)",
      from: 'replaced',
    })})
    SELECT ${columns} FROM replaced`,
})

const deleteEndedSecrets = statement({
  name: 'erase_ended_webhook_secrets',
  values: {},
  columns: {},
  sql: 'DELETE FROM webhook_former_secrets WHERE ends_at <= now()',
})

const toValues = ({ id: event_id, actor }: Act) => ({ event_id, actor })

const toSealedValues = ({ masterKeyId, wrappedDataKey, text }: SealedText) => ({
  master_key_id: masterKeyId,
  wrapped_data_key: wrappedDataKey,
  secret: text,
})

function toWebhook(row: Row): Webhook
function toWebhook(row: Row | undefined): Webhook | null
function toWebhook(row: Row | undefined): Webhook | null {
  if (row === undefined) return null
  return {
    id: row.id,
    merchantId: row.merchant_id,
    url: row.url,
    eventTypes: row.event_types,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    hasSecret: row.has_secret,
    oldSecretEndsAt: row.old_secret_ends_at,
  }
}

type Row = ValuesOf<typeof webhookColumns>
