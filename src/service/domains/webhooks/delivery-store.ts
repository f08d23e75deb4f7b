import { TEST_EVENT, WebhookEventType } from '../../../contract/api/webhook.ts'
import { CAPACITY_TABLE, capacityTypes, toCapacityValues } from '../../platform/concurrency/fairness.ts'
import type { Capacity, Task } from '../../platform/concurrency/fairness.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import {
  arrayOf,
  bigint,
  bytea,
  float8,
  integer,
  nullable,
  text,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { eventSql } from '../../platform/events.ts'
import { BATCH_ROWS, batchColumns, countIn } from '../../platform/jobs/batches.ts'
import { sqlConditionFor } from '../../platform/state-machine.ts'
import type { SealedText } from '../../platform/vault/vault.ts'
import { deliveryMoves, LONGEST_DELAYS } from './delivery.ts'
import type { DeliveryAction, DueDelivery, Failure } from './delivery.ts'

const ALL_TYPES = `ARRAY[${WebhookEventType.options.map((type) => `'${type}'`).join(', ')}]`

/**
 * The SQL condition that a webhook wants an event. A webhook without named types gets every type that webhooks can have; the audit
 * log holds others, such as those of keys. A test event is for its own webhook alone.
 */
export const wantsEvent = (webhook: string, event: string): string =>
  `(${event}.type = ANY (coalesce(${webhook}.event_types, ${ALL_TYPES}))
    OR (${event}.type = '${TEST_EVENT}' AND ${event}.subject = ${webhook}.id))`

/** SQL that adds a delivery for each webhook that wants an event of `from`; it runs where events are sealed. */
export const addDeliveries = ({ from }: { from: string }): string =>
  `INSERT INTO webhook_deliveries (webhook_id, event_id)
   SELECT w.id, ${from}.id FROM ${from} JOIN webhooks w ON w.merchant_id = ${from}.merchant_id
   WHERE w.disabled_at IS NULL AND ${wantsEvent('w', from)}`

/** A process has this long for one attempt; then another process may make the next. */
const LEASE_SECONDS = 60

/** The state of a row, as `deliveryStateOf` has it. The index `webhook_deliveries_by_state` uses the same words. */
export const STATE =
  "(CASE WHEN delivered_at IS NOT NULL THEN 'delivered' WHEN next_at IS NOT NULL THEN 'waiting' ELSE 'failed' END)"

/** The SQL condition that a row is in a state that takes this action. */
export const allows = (action: DeliveryAction): string =>
  sqlConditionFor(deliveryMoves, action, (state) => `(${STATE} = '${state}')`)

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

/**
 * Candidates for the next batch. Of each webhook the longest due, up to its capacity; overall twice the free capacity, round-robin by
 * merchant. Listed webhooks (those that answer slowly) are counted apart: neither they nor one merchant's backlog hide what
 * others have due. A webhook without capacity costs nothing; each other one costs a look into the index.
 */
const findDueDeliveries = statement({
  name: 'find_due_deliveries',
  values: capacityTypes,
  columns: { merchant_id: text, webhook_id: text, event_id: text },
  sql: `
    WITH ${CAPACITY_TABLE},
    waiting AS (
      SELECT w.id, w.merchant_id, capacity.most IS NOT NULL AS is_listed, least(
               coalesce(capacity.most, :capacity_of_others),
               ceil(8.0 * :capacity_in_all::integer / count(*) OVER (PARTITION BY capacity.most IS NOT NULL)))::integer AS most
      FROM webhooks w LEFT JOIN capacity ON capacity.target_id = w.id CROSS JOIN LATERAL (
        SELECT FROM webhook_deliveries WHERE webhook_id = w.id AND next_at <= now() LIMIT 1
      ) due
      WHERE w.disabled_at IS NULL AND coalesce(capacity.most, :capacity_of_others) > 0
    ), found AS (
      SELECT waiting.*, d.event_id, d.next_at,
             row_number() OVER (PARTITION BY is_listed, merchant_id ORDER BY d.turn, d.next_at) AS turn
      FROM waiting CROSS JOIN LATERAL (
        SELECT event_id, next_at, row_number() OVER (ORDER BY next_at) AS turn FROM webhook_deliveries
        WHERE webhook_id = waiting.id AND next_at <= now() ORDER BY next_at LIMIT waiting.most
      ) d
    ), placed AS (
      SELECT *, row_number() OVER (PARTITION BY is_listed ORDER BY turn, next_at) AS place FROM found
    )
    SELECT merchant_id, id AS webhook_id, event_id FROM placed
    WHERE place <= 2 * :capacity_in_all::integer ORDER BY place`,
})

/**
 * Takes those that are still due, with the secrets that sign, the newest first. Each delivery is looked up by itself: a join would read
 * everything that is due. The commit does not wait for the disk: if the database crashes, what was taken is due again.
 */
export const takeDueDeliveries = statement({
  name: 'take_due_deliveries',
  values: { webhook_ids: arrayOf(text), event_ids: arrayOf(text) },
  columns: dueColumns,
  sql: `
    WITH due AS (
      SELECT still_due.*
      FROM set_config('synchronous_commit', 'off', true)
      CROSS JOIN unnest(:webhook_ids::text[], :event_ids::text[]) AS chosen (webhook_id, event_id) CROSS JOIN LATERAL (
        SELECT webhook_id, event_id FROM webhook_deliveries
        WHERE webhook_id = chosen.webhook_id AND event_id = chosen.event_id AND next_at <= now() AND ${allows('take')}
        FOR UPDATE SKIP LOCKED
      ) still_due
    ), taken AS (
      UPDATE webhook_deliveries d SET attempts = attempts + 1, next_at = now() + interval '${LEASE_SECONDS} seconds'
      FROM due WHERE d.webhook_id = due.webhook_id AND d.event_id = due.event_id
      RETURNING d.webhook_id, d.event_id, d.attempts
    )
    SELECT w.id AS webhook_id, w.merchant_id, w.url, sealed.master_key_ids, sealed.wrapped_data_keys, sealed.secrets,
           e.id AS event_id, e.type, e.subject, e.created_at, taken.attempts
    FROM taken JOIN webhooks w ON w.id = taken.webhook_id JOIN events e ON e.id = taken.event_id
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(one.master_key_id ORDER BY one.ends_at DESC), '{}') AS master_key_ids,
             coalesce(array_agg(one.wrapped_data_key ORDER BY one.ends_at DESC), '{}') AS wrapped_data_keys,
             coalesce(array_agg(one.secret ORDER BY one.ends_at DESC), '{}') AS secrets
      FROM (
        SELECT w.master_key_id, w.wrapped_data_key, w.secret, 'infinity'::timestamptz AS ends_at WHERE w.secret IS NOT NULL
        UNION ALL
        SELECT master_key_id, wrapped_data_key, secret, ends_at FROM webhook_former_secrets
        WHERE webhook_id = w.id AND ends_at > now()
      ) one
    ) sealed
    ORDER BY e.seq`,
})

const countDueDeliveries = statement({
  name: 'count_due_deliveries',
  values: {},
  columns: { count: bigint, oldest: float8 },
  sql: `
    SELECT count(*) AS count, coalesce(extract(epoch FROM now() - min(d.next_at)), 0)::float8 AS oldest
    FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
    WHERE d.next_at <= now() AND w.disabled_at IS NULL`,
})

/** An event that may be sent to a webhook, which is its target. */
export type DueTask = Task & { eventId: string }

/** Finds what may be sent now, to choose from. */
export async function findDue(database: Database, capacity: Capacity): Promise<DueTask[]> {
  const rows = await database.run(findDueDeliveries, toCapacityValues(capacity))
  return rows.map(({ merchant_id, webhook_id, event_id }) => toTask(merchant_id, webhook_id, event_id))
}

/** Takes what is still due of these, for this process alone for a minute. */
export async function takeDue(database: Database, chosen: readonly DueTask[]): Promise<DueDelivery[]> {
  const rows = await database.run(takeDueDeliveries, {
    webhook_ids: chosen.map(({ targetId }) => targetId),
    event_ids: chosen.map(({ eventId }) => eventId),
  })
  return rows.map(toDueDelivery)
}

/** The task of a delivery that was taken. */
export function taskOf({ webhook, event }: DueDelivery): DueTask {
  return toTask(webhook.merchantId, webhook.id, event.id)
}

/** Counts what is due and taken by no process, and how long the oldest has been due. */
export async function countDue(database: Database): Promise<{ count: number; oldestSeconds: number }> {
  const [row] = await database.run(countDueDeliveries, {})
  return { count: row?.count ?? 0, oldestSeconds: row?.oldest ?? 0 }
}

const deliveryTypes = { webhook_id: text, event_id: text }
const THIS = 'webhook_id = :webhook_id AND event_id = :event_id'

const giveDeliveryBack = statement({
  name: 'give_delivery_back',
  values: { ...deliveryTypes, attempts: integer },
  columns: {},
  sql: `
    UPDATE webhook_deliveries SET attempts = attempts - 1, next_at = now()
    WHERE ${THIS} AND attempts = :attempts AND ${allows('give_back')}`,
})

const markDelivered = statement({
  name: 'mark_delivered',
  values: { ...deliveryTypes, status: integer },
  columns: {},
  sql: `
    UPDATE webhook_deliveries
    SET delivered_at = now(), next_at = NULL, gave_up_at = NULL, last_status = :status, last_fault = NULL
    WHERE ${THIS} AND ${allows('deliver')}`,
})

/** Matches the number of attempts, as a later attempt of another process counts before this one. */
const failureTypes = { ...deliveryTypes, attempts: integer, status: nullable(integer), fault: text }

const markFailed = statement({
  name: 'mark_delivery_failed',
  values: { ...failureTypes, delay_seconds: float8 },
  columns: {},
  sql: `
    UPDATE webhook_deliveries
    SET next_at = now() + :delay_seconds * interval '1 second', gave_up_at = NULL, last_status = :status, last_fault = :fault
    WHERE ${THIS} AND attempts = :attempts AND ${allows('retry')}`,
})

const giveUp = statement({
  name: 'give_delivery_up',
  values: failureTypes,
  columns: {},
  sql: `
    UPDATE webhook_deliveries
    SET next_at = NULL, gave_up_at = now(), last_status = :status, last_fault = :fault
    WHERE ${THIS} AND attempts = :attempts AND ${allows('give_up')}`,
})

/** Nothing is disabled if the webhook has another URL by now. */
const disableWebhook = statement({
  name: 'disable_webhook',
  values: { ...deliveryTypes, url: text, disabled_event_id: text },
  columns: { id: text },
  sql: `
    WITH disabled AS (
      UPDATE webhooks SET disabled_at = now()
      WHERE id = :webhook_id AND url = :url AND disabled_at IS NULL
      RETURNING id, merchant_id, url
    ), event AS (${eventSql({
      id: ':disabled_event_id',
      merchant: 'merchant_id',
      type: "'webhook.disabled'",
      subject: 'id',
      actor: "'service'",
      facts: "jsonb_build_object('url', url, 'status', 410)",
      from: 'disabled',
    })}), given_up AS (
      UPDATE webhook_deliveries
      SET next_at = NULL, gave_up_at = now(), last_fault = 'the server said 410 Gone',
          last_status = CASE WHEN event_id = :event_id THEN 410 ELSE last_status END
      FROM disabled WHERE webhook_id = disabled.id AND ${allows('disable')}
    )
    SELECT id FROM disabled`,
})

/** Gives back an attempt that the service itself cut short: it does not count, and the delivery is due at once. */
export async function giveBack(database: Database, delivery: DueDelivery): Promise<void> {
  await database.run(giveDeliveryBack, { ...idsOf(delivery), attempts: delivery.attempts })
}

export async function recordDelivered(
  database: Database,
  delivery: DueDelivery,
  status: number,
): Promise<void> {
  await database.grouped.run(markDelivered, { ...idsOf(delivery), status })
}

/** `delay`: seconds until the next attempt; null gives the delivery up. */
export async function recordFailed(
  database: Database,
  delivery: DueDelivery,
  failure: Failure,
  delay: number | null,
): Promise<void> {
  const values = { ...idsOf(delivery), attempts: delivery.attempts, ...failure }
  if (delay === null) await database.run(giveUp, values)
  else await database.grouped.run(markFailed, { ...values, delay_seconds: delay })
}

/**
 * Disables the webhook after a 410, and gives up what waits for it. False if it has another URL by now, or was disabled before.
 */
export async function disableAfterGone(
  database: Database,
  delivery: DueDelivery,
  eventId: string,
): Promise<boolean> {
  const values = { ...idsOf(delivery), url: delivery.webhook.url, disabled_event_id: eventId }
  return (await database.run(disableWebhook, values)).length > 0
}

/**
 * Deletes one batch of deliveries and returns how many. `found` locks its rows and skips locked ones: so its conditions still hold when
 * they are deleted, and two processes delete different rows.
 */
const deleteBatch = (found: string): string => `
  WITH gone AS (${found} LIMIT ${String(BATCH_ROWS)}), changed AS (
    DELETE FROM webhook_deliveries d USING gone
    WHERE d.webhook_id = gone.webhook_id AND d.event_id = gone.event_id RETURNING 1
  )
  SELECT count(*) AS count FROM changed`

/**
 * After 30 days: what was delivered or given up, and what waits for a disabled webhook (events that were sealed while it was being
 * disabled).
 */
export const deleteOld = statement({
  name: 'delete_old_deliveries',
  values: {},
  columns: batchColumns,
  sql: deleteBatch(
    `
    SELECT old.webhook_id, old.event_id
    FROM webhooks w CROSS JOIN unnest(ARRAY['delivered', 'failed', 'waiting']) AS ended (state) CROSS JOIN LATERAL (
      SELECT webhook_id, event_id FROM webhook_deliveries
      WHERE webhook_id = w.id AND ${STATE} = ended.state AND created_at <= now() - interval '30 days'
        AND (next_at IS NULL OR next_at <= now() - interval '30 days')
      ORDER BY created_at, event_id LIMIT ${String(BATCH_ROWS)} FOR UPDATE SKIP LOCKED
    ) old
    WHERE ended.state <> 'waiting' OR w.disabled_at IS NOT NULL`,
  ),
})

export const deleteRemoved = statement({
  name: 'delete_removed_deliveries',
  values: {},
  columns: batchColumns,
  sql: deleteBatch(
    `
    SELECT of_removed.webhook_id, of_removed.event_id FROM removed_webhooks r CROSS JOIN LATERAL (
      SELECT webhook_id, event_id FROM webhook_deliveries WHERE webhook_id = r.id
      ORDER BY event_id LIMIT ${String(BATCH_ROWS)} FOR UPDATE SKIP LOCKED
    ) of_removed`,
  ),
})

/**
 * Forgets webhooks that were removed a day ago, once no delivery of theirs is left. Looking for the first delivery uses the index;
 * `NOT EXISTS` could read all deliveries.
 */
const forgetRemoved = statement({
  name: 'forget_removed_webhooks',
  values: {},
  columns: {},
  sql: `
    DELETE FROM removed_webhooks r
    WHERE removed_at <= now() - interval '1 day'
      AND (SELECT event_id FROM webhook_deliveries WHERE webhook_id = r.id ORDER BY event_id LIMIT 1) IS NULL`,
})

/** Deletes a batch of old deliveries and returns how many. */
export async function deleteOldDeliveries(database: Database): Promise<number> {
  return countIn(await database.run(deleteOld, {}))
}

/** Deletes a batch of deliveries to removed webhooks and returns how many. */
export async function deleteRemovedDeliveries(database: Database): Promise<number> {
  const count = countIn(await database.run(deleteRemoved, {}))
  if (count === 0) await database.run(forgetRemoved, {})
  return count
}

/** `longest_delays`: in seconds after each number of attempts. */
const bringForward = statement({
  name: 'bring_deliveries_forward',
  values: { longest_delays: arrayOf(float8) },
  columns: {},
  sql: `
    UPDATE webhook_deliveries
    SET next_at = CASE attempts WHEN 0 THEN now() ELSE now() + interval '${LEASE_SECONDS} seconds' END
    WHERE next_at > now() + interval '1 second' * CASE attempts
      WHEN 0 THEN 1 ELSE greatest(${LEASE_SECONDS}, (:longest_delays::float8[])[attempts]) END`,
})

/**
 * Brings forward deliveries that are due later than any delay allows, because the database's clock was set back. Those never tried are
 * due now; the others once no process can still be sending them.
 */
export async function bringForwardDeliveries(database: Queries): Promise<void> {
  await database.run(bringForward, { longest_delays: LONGEST_DELAYS })
}

function idsOf({ webhook, event }: DueDelivery): { webhook_id: string; event_id: string } {
  return { webhook_id: webhook.id, event_id: event.id }
}

function toTask(merchantId: string, webhookId: string, eventId: string): DueTask {
  return { id: `${webhookId}/${eventId}`, merchantId, targetId: webhookId, eventId }
}

function toDueDelivery(row: ValuesOf<typeof dueColumns>): DueDelivery {
  return {
    webhook: { id: row.webhook_id, merchantId: row.merchant_id, url: row.url, secrets: toSealed(row) },
    event: { id: row.event_id, type: row.type, subject: row.subject, createdAt: row.created_at },
    attempts: row.attempts,
  }
}

function toSealed(row: ValuesOf<typeof dueColumns>): SealedText[] {
  return row.secrets.flatMap((text, place) => {
    const [masterKeyId, wrappedDataKey] = [row.master_key_ids[place], row.wrapped_data_keys[place]]
    return masterKeyId === undefined || wrappedDataKey === undefined
      ? []
      : [{ masterKeyId, wrappedDataKey, text }]
  })
}
