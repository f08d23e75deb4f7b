import type { WebhookEventType, WebhookResource } from '../../../contract/api/webhook.ts'
import {
  arrayOf,
  bigint,
  bool,
  bytea,
  float8,
  nullable,
  text,
  textOf,
} from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import { takes } from './delivery/delivery-state-sql.ts'
import { actTypes, columns, eventParts, ofRow, webhookColumns } from './webhook-sql.ts'

/**
 * A value that is null leaves what there is. What waits for a webhook that is disabled is given up; once more as it is enabled, for events
 * that were sealed while it was being disabled.
 */
export const changeWebhook = (writeEvent: WriteEvent) =>
  statement({
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
        UPDATE webhook_endpoints
        SET url = coalesce(:url, url), event_types = CASE WHEN :changes_events THEN :event_types::text[] ELSE event_types END,
            disabled_at = CASE :status::text WHEN 'enabled' THEN NULL WHEN 'disabled' THEN coalesce(disabled_at, now())
                          ELSE disabled_at END
        WHERE id = :id AND merchant_id = :merchant_id RETURNING ${ofRow}
      ), given_up AS (
        UPDATE webhook_deliveries SET next_at = NULL, gave_up_at = now(), last_fault = 'the webhook was disabled'
        FROM changed
        WHERE endpoint_id = changed.id AND (changed.disabled_at IS NOT NULL OR :was_disabled) AND ${takes('disable')}
      ), event AS (${writeEvent({
        ...eventParts,
        type: "'webhook.changed'",
        facts: `${eventParts.facts} || jsonb_build_object(
          'status', CASE WHEN disabled_at IS NULL THEN 'enabled' ELSE 'disabled' END)`,
        from: 'changed',
      })})
      SELECT ${columns} FROM changed`,
  })

/** Those who change one webhook, or roll its secret, wait for each other here. */
export const lockWebhook = statement({
  name: 'lock_webhook',
  values: { id: text, merchant_id: text },
  columns: { is_disabled: bool },
  sql: `SELECT disabled_at IS NOT NULL AS is_disabled FROM webhook_endpoints
        WHERE id = :id AND merchant_id = :merchant_id FOR UPDATE`,
})

/** Those that were replaced before sign no longer than the overlap. */
export const shortenFormerSecrets = statement({
  name: 'shorten_former_webhook_secrets',
  values: { id: text, overlap_seconds: float8 },
  columns: {},
  sql: `
    UPDATE webhook_former_secrets SET ends_at = least(ends_at, date_trunc('milliseconds', now()) + :overlap_seconds * interval '1 second')
    WHERE endpoint_id = :id`,
})

/** Keeps the secret that is about to be replaced, for the overlap. */
export const keepSecret = statement({
  name: 'keep_webhook_secret',
  values: { id: text, former_id: text, overlap_seconds: float8 },
  columns: {},
  sql: `
    INSERT INTO webhook_former_secrets (id, endpoint_id, merchant_id, master_key_id, wrapped_data_key, secret, ends_at)
    SELECT :former_id, id, merchant_id, master_key_id, wrapped_data_key, secret, now() + :overlap_seconds * interval '1 second'
    FROM webhook_endpoints WHERE id = :id AND secret IS NOT NULL AND :overlap_seconds > 0`,
})

export const countFormerSecrets = statement({
  name: 'count_former_webhook_secrets',
  values: { id: text },
  columns: { count: bigint },
  sql: 'SELECT count(*) AS count FROM webhook_former_secrets WHERE endpoint_id = :id AND ends_at > now()',
})

export const replaceSecret = (writeEvent: WriteEvent) =>
  statement({
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
        UPDATE webhook_endpoints SET master_key_id = :master_key_id, wrapped_data_key = :wrapped_data_key, secret = :secret
        WHERE id = :id RETURNING ${ofRow}
      ), event AS (${writeEvent({
        ...eventParts,
        type: "'webhook.secret_rolled'",
        facts: "jsonb_build_object('url', url, 'overlap_seconds', :overlap_seconds::bigint)",
        from: 'replaced',
      })})
      SELECT ${columns} FROM replaced`,
  })

/** Secrets that sign no more are erased, with the keys that open them. */
export const eraseEndedSecrets = statement({
  name: 'erase_ended_webhook_secrets',
  values: {},
  columns: {},
  sql: 'DELETE FROM webhook_former_secrets WHERE ends_at <= now()',
})
