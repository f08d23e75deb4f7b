import {
  arrayOf,
  bigint,
  bytea,
  float8,
  integer,
  nullable,
  text,
  timestamptz,
} from '../../../platform/database/sql-types.ts'
import type { WriteEvent } from '../../../platform/write-event.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { CAPACITY_TABLE, capacityTypes } from '../../../platform/concurrency/fairness.ts'
import { takes } from './delivery-state-sql.ts'

/** How many seconds a process may take for one attempt before another process may make the next. */
export const LEASE_SECONDS = 60

const dueColumns = {
  webhook_id: text,
  merchant_id: text,
  url: text,
  master_key_ids: arrayOf(text),
  wrapped_data_keys: arrayOf(bytea),
  secrets: arrayOf(bytea),
  event_id: text,
  type: text,
  subject: text,
  created_at: timestamptz,
  attempts: integer,
}
export type DueRow = ValuesOf<typeof dueColumns>

/**
 * What may be sent now, of each webhook what is due first: as much of it as there is capacity for, and of all of them twice what can begin
 * at all, to choose from: the first of each merchant before the second of any, and of these the longest due. Listed webhooks, which do not
 * answer quickly, are counted apart: neither they nor the backlog of some merchants keep from being found what others have due. A
 * webhook without capacity costs nothing, and each other one a look into the index.
 */
export const findDue = statement({
  name: 'find_due_deliveries',
  values: capacityTypes,
  columns: { merchant_id: text, webhook_id: text, event_id: text },
  sql: `
    WITH ${CAPACITY_TABLE},
    waiting AS (
      SELECT w.id, w.merchant_id, capacity.most IS NOT NULL AS is_listed, least(
               coalesce(capacity.most, :capacity_of_others),
               ceil(8.0 * :capacity_in_all::integer / count(*) OVER (PARTITION BY capacity.most IS NOT NULL)))::integer AS most
      FROM webhook_endpoints w LEFT JOIN capacity ON capacity.target_id = w.id CROSS JOIN LATERAL (
        SELECT FROM webhook_deliveries WHERE endpoint_id = w.id AND next_at <= now() LIMIT 1
      ) due
      WHERE w.disabled_at IS NULL AND coalesce(capacity.most, :capacity_of_others) > 0
    ), found AS (
      SELECT waiting.*, d.event_id, d.next_at,
             row_number() OVER (PARTITION BY is_listed, merchant_id ORDER BY d.turn, d.next_at) AS turn
      FROM waiting CROSS JOIN LATERAL (
        SELECT event_id, next_at, row_number() OVER (ORDER BY next_at) AS turn FROM webhook_deliveries
        WHERE endpoint_id = waiting.id AND next_at <= now() ORDER BY next_at LIMIT waiting.most
      ) d
    ), placed AS (
      SELECT *, row_number() OVER (PARTITION BY is_listed ORDER BY turn, next_at) AS place FROM found
    )
    SELECT merchant_id, id AS webhook_id, event_id FROM placed
    WHERE place <= 2 * :capacity_in_all::integer ORDER BY place`,
})

/**
 * Of these, what is still due, each for one taker at a time; with the secrets that sign, the newest first. Each is looked up by itself: a
 * join would read all that is due where much is. Nobody waits for the disk: what a crash of the database forgets was taken is due again.
 */
export const take = statement({
  name: 'take_due_deliveries',
  values: { webhook_ids: arrayOf(text), event_ids: arrayOf(text) },
  columns: dueColumns,
  sql: `
    WITH due AS (
      SELECT still_due.*
      FROM set_config('synchronous_commit', 'off', true)
      CROSS JOIN unnest(:webhook_ids::text[], :event_ids::text[]) AS chosen (webhook_id, event_id) CROSS JOIN LATERAL (
        SELECT endpoint_id AS webhook_id, event_id FROM webhook_deliveries
        WHERE endpoint_id = chosen.webhook_id AND event_id = chosen.event_id AND next_at <= now() AND ${takes('take')}
        FOR UPDATE SKIP LOCKED
      ) still_due
    ), taken AS (
      UPDATE webhook_deliveries d SET attempts = attempts + 1, next_at = now() + interval '${LEASE_SECONDS} seconds'
      FROM due WHERE d.endpoint_id = due.webhook_id AND d.event_id = due.event_id
      RETURNING d.endpoint_id AS webhook_id, d.event_id, d.attempts
    )
    SELECT w.id AS webhook_id, w.merchant_id, w.url, sealed.master_key_ids, sealed.wrapped_data_keys, sealed.secrets,
           e.id AS event_id, e.type, e.subject, e.created_at, taken.attempts
    FROM taken JOIN webhook_endpoints w ON w.id = taken.webhook_id JOIN events e ON e.id = taken.event_id
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(one.master_key_id ORDER BY one.ends_at DESC), '{}') AS master_key_ids,
             coalesce(array_agg(one.wrapped_data_key ORDER BY one.ends_at DESC), '{}') AS wrapped_data_keys,
             coalesce(array_agg(one.secret ORDER BY one.ends_at DESC), '{}') AS secrets
      FROM (
        SELECT w.master_key_id, w.wrapped_data_key, w.secret, 'infinity'::timestamptz AS ends_at WHERE w.secret IS NOT NULL
        UNION ALL
        SELECT master_key_id, wrapped_data_key, secret, ends_at FROM webhook_former_secrets
        WHERE endpoint_id = w.id AND ends_at > now()
      ) one
    ) sealed
    ORDER BY e.seq`,
})

/** One event on its way to one webhook. */
const deliveryTypes = { webhook_id: text, event_id: text }
const THIS = 'endpoint_id = :webhook_id AND event_id = :event_id'

/** The attempt was cut short by the service itself: it does not count, and may be made again at once. */
export const giveBack = statement({
  name: 'give_delivery_back',
  values: { ...deliveryTypes, attempts: integer },
  columns: {},
  sql: `
    UPDATE webhook_deliveries SET attempts = attempts - 1, next_at = now()
    WHERE ${THIS} AND attempts = :attempts AND ${takes('give_back')}`,
})

/** How many are due and taken by no process, and how long the oldest has been due, in seconds. */
export const countDue = statement({
  name: 'count_due_deliveries',
  values: {},
  columns: { count: bigint, oldest: float8 },
  sql: `
    SELECT count(*) AS count, coalesce(extract(epoch FROM now() - min(d.next_at)), 0)::float8 AS oldest
    FROM webhook_deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id
    WHERE d.next_at <= now() AND w.disabled_at IS NULL`,
})

export const markDelivered = statement({
  name: 'mark_delivered',
  values: { ...deliveryTypes, status: integer },
  columns: {},
  sql: `
    UPDATE webhook_deliveries
    SET delivered_at = now(), next_at = NULL, gave_up_at = NULL, last_status = :status, last_fault = NULL
    WHERE ${THIS} AND ${takes('deliver')}`,
})

/** What became of an attempt that failed; another process's later attempt counts before this one. */
const failureTypes = { ...deliveryTypes, attempts: integer, status: nullable(integer), fault: text }

export const markFailed = statement({
  name: 'mark_delivery_failed',
  values: { ...failureTypes, delay_seconds: float8 },
  columns: {},
  sql: `
    UPDATE webhook_deliveries
    SET next_at = now() + :delay_seconds * interval '1 second', gave_up_at = NULL, last_status = :status, last_fault = :fault
    WHERE ${THIS} AND attempts = :attempts AND ${takes('retry')}`,
})

export const giveUp = statement({
  name: 'give_delivery_up',
  values: failureTypes,
  columns: {},
  sql: `
    UPDATE webhook_deliveries
    SET next_at = NULL, gave_up_at = now(), last_status = :status, last_fault = :fault
    WHERE ${THIS} AND attempts = :attempts AND ${takes('give_up')}`,
})

/** The server at this URL wants nothing any more: what still waits is given up. Nothing is disabled where the webhook has another URL by now. */
export const disableWebhook = (writeEvent: WriteEvent) => {
  const event = writeEvent({
    id: ':disabled_event_id',
    merchant: 'merchant_id',
    type: "'webhook.disabled'",
    subject: 'id',
    actor: "'service'",
    facts: "jsonb_build_object('url', url, 'status', 410)",
    from: 'disabled',
  })
  return statement({
    name: 'disable_webhook',
    values: { ...deliveryTypes, url: text, disabled_event_id: text },
    columns: { id: text },
    sql: `
      WITH disabled AS (
        UPDATE webhook_endpoints SET disabled_at = now()
        WHERE id = :webhook_id AND url = :url AND disabled_at IS NULL
        RETURNING id, merchant_id, url
      ), event AS (${event}), given_up AS (
        UPDATE webhook_deliveries
        SET next_at = NULL, gave_up_at = now(), last_fault = 'the server said 410 Gone',
            last_status = CASE WHEN event_id = :event_id THEN 410 ELSE last_status END
        FROM disabled WHERE endpoint_id = disabled.id AND ${takes('disable')}
      )
      SELECT id FROM disabled`,
  })
}
