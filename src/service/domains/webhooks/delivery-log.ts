import type { Database } from '../../platform/database/database.ts'
import {
  arrayOf,
  bigint,
  integer,
  notNull,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { eventSql } from '../../platform/events.ts'
import type { Position } from '../../platform/listing/cursor.ts'
import { MAX_READ, toNeeds } from '../../platform/listing/needs-attention.ts'
import type { FindNeeds } from '../../platform/listing/needs-attention.ts'
import { DELIVERY_STATES } from './delivery.ts'
import type { Delivery, DeliveryState } from './delivery.ts'
import { STATE, wantsEvent } from './delivery-store.ts'
import type { Act } from './webhook-store.ts'

/** A delivery with the URL of its webhook. */
export type ListedDelivery = Delivery & { url: string }

/** Which of a webhook's deliveries are listed, newest first. */
interface DeliveryFilter {
  /** Null: any. */
  status: DeliveryState | null
  /** Those after this place. */
  after: Position | null
  limit: number
}

/** Which events are sent again: all since a time, or one; without either, those that were given up. */
interface ReplaySelection {
  since: Date | null
  eventId: string | null
}

/** Lists deliveries to one webhook. */
export async function listDeliveries(
  database: Database,
  webhookId: string,
  { status, after, limit }: DeliveryFilter,
): Promise<Delivery[]> {
  const rows = await database.run(listOfWebhook, {
    webhook_id: webhookId,
    states: status === null ? DELIVERY_STATES : [status],
    after_created_at: after?.createdAt ?? null,
    after_id: after?.id ?? null,
    limit,
  })
  return rows.map(toDelivery)
}

/** Lists deliveries of these events to a merchant's webhooks. */
export async function listDeliveriesAbout(
  database: Database,
  merchantId: string,
  eventIds: readonly string[],
): Promise<ListedDelivery[]> {
  const rows = await database.run(listAboutEvents, { merchant_id: merchantId, event_ids: eventIds })
  return rows.map(toDelivery)
}

/** Lists a merchant's deliveries that were tried and have not arrived. */
export async function listUndelivered(database: Database, merchantId: string): Promise<ListedDelivery[]> {
  return (await database.run(listUndeliveredOf, { merchant_id: merchantId })).map(toDelivery)
}

/** Makes a delivery due at once, delivered before or not. Null if there is none, or the webhook is disabled. */
export async function resend(
  database: Database,
  delivery: { merchantId: string; webhookId: string; eventId: string },
  act: Act,
): Promise<Delivery | null> {
  const { merchantId, webhookId, eventId } = delivery
  const values = { ...act, merchant_id: merchantId, webhook_id: webhookId, event_id: eventId }
  const [row] = await database.run(resendDelivery, values)
  return row === undefined ? null : toDelivery(row)
}

/** Makes deliveries due at once, delivered before or not, and returns how many. */
export async function replay(
  database: Database,
  merchantId: string,
  { since, eventId }: ReplaySelection,
  { id, actor }: Act,
): Promise<number> {
  const values = { merchant_id: merchantId, since, event_id: eventId, id, actor }
  const [row] = await database.run(replayEvents, values)
  return row?.count ?? 0
}

/** Finds webhooks of which one of the newest deliveries was tried and has not arrived. */
export async function findFailingWebhooks(database: Database, merchantId: string): ReturnType<FindNeeds> {
  return toNeeds(
    await database.run(findFailing, { merchant_id: merchantId, most: MAX_READ }),
    { kind: 'webhook_failing', target: { page: 'webhooks', query: {} } },
    ({ id, at, url, fault }) => ({ id, at, words: `${url}: ${fault}`, cents: null, currency: null }),
  )
}

interface Newest {
  /** As SQL: the webhook's id, an array of states, and how many deliveries at most. */
  webhook: string
  states: string
  limit: string
  condition: string
}

/**
 * Selects a webhook's deliveries, newest first. Of each state it reads at most `limit`, from one place in an index: so a rare
 * state takes no longer than a common one.
 */
const newestOf = ({ webhook, states, limit, condition }: Newest): string => `
  SELECT found.* FROM unnest(${states}) AS wanted (state) CROSS JOIN LATERAL (
    SELECT * FROM webhook_deliveries
    WHERE webhook_id = ${webhook} AND ${STATE} = wanted.state AND ${condition}
    ORDER BY created_at DESC, event_id DESC LIMIT ${limit}
  ) found
  ORDER BY found.created_at DESC, found.event_id DESC LIMIT ${limit}`

const deliveryColumns = {
  webhook_id: text,
  url: text,
  event_id: text,
  type: text,
  subject: text,
  attempts: integer,
  last_status: nullable(integer),
  last_fault: nullable(text),
  next_at: nullable(timestamptz),
  delivered_at: nullable(timestamptz),
  created_at: timestamptz,
}

/** Selects what is shown of `deliveries`: a table, or a selection from it in brackets. */
const shown = (deliveries: string): string => `
  SELECT w.id AS webhook_id, w.url, e.id AS event_id, e.type, e.subject, d.attempts, d.last_status, d.last_fault,
         d.next_at, d.delivered_at, d.created_at
  FROM webhooks w JOIN ${deliveries} d ON d.webhook_id = w.id JOIN events e ON e.id = d.event_id`
const deliveries = shown('webhook_deliveries')

export const listOfWebhook = statement({
  name: 'list_deliveries_of_webhook',
  values: {
    webhook_id: text,
    states: arrayOf(textOf<DeliveryState>()),
    after_created_at: nullable(timestamptz),
    after_id: nullable(text),
    limit: bigint,
  },
  columns: deliveryColumns,
  sql: `
    ${shown(
      `(${newestOf({
        webhook: ':webhook_id',
        states: ':states::text[]',
        limit: ':limit',
        condition:
          "(created_at, event_id) < (coalesce(:after_created_at, 'infinity'::timestamptz), coalesce(:after_id, ''))",
      })})`,
    )}
    ORDER BY d.created_at DESC, d.event_id DESC`,
})

const listUndeliveredOf = statement({
  name: 'list_undelivered',
  values: { merchant_id: text },
  columns: deliveryColumns,
  sql: `
    SELECT shown.* FROM webhooks mine CROSS JOIN LATERAL (
      ${shown(`(${newestOf({ webhook: 'mine.id', states: "ARRAY['waiting', 'failed']", limit: '1000', condition: 'attempts > 0' })})`)}
    ) shown
    WHERE mine.merchant_id = :merchant_id ORDER BY shown.created_at DESC, shown.event_id DESC LIMIT 1000`,
})

const listAboutEvents = statement({
  name: 'list_deliveries_about_events',
  values: { merchant_id: text, event_ids: arrayOf(text) },
  columns: deliveryColumns,
  sql: `${deliveries} WHERE w.merchant_id = :merchant_id AND d.event_id = ANY (:event_ids) ORDER BY d.created_at, w.id`,
})

/** The events to send again to a webhook `w`. Each of the three ways to choose them has an index of its own. */
const CHOSEN = `
  SELECT id, type, subject FROM events
  WHERE merchant_id = w.merchant_id AND created_at >= :since AND (:event_id::text IS NULL OR id = :event_id)
  UNION ALL
  SELECT id, type, subject FROM events WHERE id = :event_id AND merchant_id = w.merchant_id AND :since::timestamptz IS NULL
  UNION ALL
  SELECT given_up.id, given_up.type, given_up.subject
  FROM webhook_deliveries JOIN events given_up ON given_up.id = event_id
  WHERE webhook_id = w.id AND ${STATE} = 'failed' AND coalesce(:since::text, :event_id) IS NULL`

/** Events since a time, or one event; without either, those that were given up. */
const replayEvents = statement({
  name: 'replay_webhooks',
  values: {
    merchant_id: text,
    since: nullable(timestamptz),
    event_id: nullable(text),
    id: text,
    actor: text,
  },
  columns: { count: bigint },
  sql: `
    WITH again AS (
      INSERT INTO webhook_deliveries (webhook_id, event_id)
      SELECT w.id, e.id FROM webhooks w CROSS JOIN LATERAL (${CHOSEN}) e
      WHERE w.merchant_id = :merchant_id AND w.disabled_at IS NULL AND ${wantsEvent('w', 'e')}
      ON CONFLICT (webhook_id, event_id)
        DO UPDATE SET attempts = 0, next_at = now(), delivered_at = NULL, gave_up_at = NULL
      RETURNING event_id
    ), counted AS (SELECT count(*) AS count FROM again),
    event AS (${eventSql({
      id: ':id',
      merchant: ':merchant_id',
      type: "'webhook.replayed'",
      subject: ':merchant_id',
      actor: ':actor',
      facts:
        "jsonb_build_object('deliveries', count, 'since', :since::timestamptz, 'event', :event_id::text)",
      from: 'counted',
    })})
    SELECT count FROM counted`,
})

const resendDelivery = statement({
  name: 'resend_delivery',
  values: { id: text, merchant_id: text, webhook_id: text, event_id: text, actor: text },
  columns: deliveryColumns,
  sql: `
    WITH again AS (
      UPDATE webhook_deliveries d SET attempts = 0, next_at = now(), delivered_at = NULL, gave_up_at = NULL
      FROM webhooks w
      WHERE w.id = :webhook_id AND w.merchant_id = :merchant_id AND w.disabled_at IS NULL
        AND d.webhook_id = w.id AND d.event_id = :event_id
      RETURNING d.*, w.url
    ), event AS (${eventSql({
      id: ':id',
      merchant: ':merchant_id',
      type: "'webhook.replayed'",
      subject: 'webhook_id',
      actor: ':actor',
      facts: "jsonb_build_object('deliveries', 1, 'since', NULL, 'event', event_id)",
      from: 'again',
    })})
    SELECT again.webhook_id, again.url, e.id AS event_id, e.type, e.subject, again.attempts,
           again.last_status, again.last_fault, again.next_at, again.delivered_at, again.created_at
    FROM again JOIN events e ON e.id = again.event_id`,
})

/** Only the newest deliveries of a webhook are looked at. */
const MAX_LOOKED_AT = 100

const NEWEST = newestOf({
  webhook: 'w.id',
  states: `ARRAY['${DELIVERY_STATES.join("', '")}']`,
  limit: String(MAX_LOOKED_AT),
  condition: 'true',
})

const findFailing = statement({
  name: 'find_failing_webhooks',
  values: { merchant_id: text, most: bigint },
  columns: { id: text, url: text, at: timestamptz, fault: notNull(text) },
  sql: `
    SELECT w.id, w.url, failed.created_at AS at, failed.last_fault AS fault
    FROM webhooks w CROSS JOIN LATERAL (
      SELECT created_at, last_fault FROM (${NEWEST}) newest
      WHERE last_fault IS NOT NULL AND delivered_at IS NULL ORDER BY created_at DESC LIMIT 1
    ) failed
    WHERE w.merchant_id = :merchant_id AND w.disabled_at IS NULL
    ORDER BY failed.created_at DESC LIMIT :most`,
})

function toDelivery(row: ValuesOf<typeof deliveryColumns>): ListedDelivery {
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
