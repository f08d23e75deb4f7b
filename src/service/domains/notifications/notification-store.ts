import { createHash } from 'node:crypto'
import type { Database, Queries } from '../../platform/database/database.ts'
import {
  bigint,
  bool,
  integer,
  jsonb,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { eventSql } from '../../platform/events.ts'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import { batchColumns, batchOf, countIn } from '../../platform/jobs/batches.ts'
import { sqlConditionFor } from '../../platform/state-machine.ts'
import type { News } from '../gateways/gateway.ts'
import { notificationMoves, toKept, toNews, withoutSecrets } from './notification.ts'
import type { KeptNews, NotificationState } from './notification.ts'

/** The gateway account that a notification is for. */
export interface NotifiedAccount {
  gatewayId: string
  gatewayType: string
  merchantId: string
}

/** Keeps news; false if it is there already. It is on disk when this resolves. */
export async function keepNews(
  database: Database,
  id: string,
  account: NotifiedAccount,
  news: News,
): Promise<boolean> {
  const rows = await database.grouped.run(insertNotification, {
    id,
    gateway_id: account.gatewayId,
    gateway_type: account.gatewayType,
    merchant_id: account.merchantId,
    news_key: toKey(news.key),
    name: news.name.slice(0, LONGEST_NAME),
    news: toKept(news),
    sent: { item: withoutSecrets(news.sent) },
  })
  return rows.length > 0
}

const LONGEST_NAME = 100
/** An index takes no longer texts. */
const LONGEST_KEY = 500
const toKey = (key: string) =>
  key.length <= LONGEST_KEY ? key : createHash('sha256').update(key).digest('hex')

/** A notification that this process works off. */
export interface TakenNotification {
  id: string
  account: NotifiedAccount
  news: News
  /** It has waited for an hour: what does not fit by now never will. */
  isOld: boolean
}

/**
 * Takes notifications that are due, for this process alone until their next try: of each gateway account so many, the oldest first, so that
 * none waits for another's.
 */
export async function takeDueNotifications(database: Queries, ofEach: number): Promise<TakenNotification[]> {
  const rows = await database.run(takeDue, { of_each: ofEach })
  return rows
    .map((row) => ({
      id: row.id,
      account: { gatewayId: row.gateway_id, gatewayType: row.gateway_type, merchantId: row.merchant_id },
      news: toNews(row.news),
      isOld: row.is_old,
      place: row.place,
    }))
    .sort((one, other) => one.place - other.place)
}

/** Records what came of a notification; while it waits, `try_after` stands as it was taken. */
export async function recordHeard(
  database: Database,
  { id }: Pick<TakenNotification, 'id'>,
  heard: { state: NotificationState; why: string | null; chargeId: string | null },
): Promise<void> {
  await database.grouped.run(updateHeard, {
    id,
    state: heard.state,
    why: heard.why,
    charge_id: heard.chargeId,
  })
}

/** Lets what contradicted a charge, or changed nothing of it as it was, be worked off again: it may fit, now that the charge has changed. */
export async function lookAgain(
  database: Database,
  { merchantId }: NotifiedAccount,
  chargeId: string,
): Promise<void> {
  await database.run(updateToLookAgain, { merchant_id: merchantId, charge_id: chargeId })
}

/** Whether anything is due; nearly always it is not. */
export async function isAnythingDue(database: Queries): Promise<boolean> {
  return (await database.run(selectIsDue, {}))[0]?.is_due === true
}

/** Deletes some notifications that were done 90 days ago; returns how many. */
export async function forgetDone(database: Queries): Promise<number> {
  return countIn(await database.run(deleteDone, {}))
}

/** How many there are of each gateway type and state that is not done. */
export function countByState(
  database: Queries,
): Promise<{ gateway_type: string; state: NotificationState; count: number }[]> {
  return database.run(selectCounts, {})
}

/** A notification as an operator lists it. */
export type ListedNotification = ValuesOf<typeof listedColumns>

/** Of one state, the newest first, 1,000 at most. */
export function listNotifications(queries: Queries, state: NotificationState): Promise<ListedNotification[]> {
  return queries.run(selectListed, { state })
}

/** Has a running service work off one notification again; false if there is none with this id. */
export async function replayNotification(queries: Queries, id: string): Promise<boolean> {
  return (await queries.run(updateToReplay, { id })).length > 0
}

/**
 * Says that a person has seen to a notification which nobody could read or explain, and writes the event that tells who. `merchantId`: whose
 * it has to be; null for an operator, who may dismiss any. False if there is none that waits for a person.
 */
export async function dismissNotification(
  queries: Queries,
  { id, merchantId }: { id: string; merchantId: string | null },
  by: { eventId: string; actor: Actor },
): Promise<boolean> {
  const values = { id, merchant_id: merchantId, event_id: by.eventId, actor: by.actor }
  return (await queries.run(updateDismissed, values)).length > 0
}

/** What a merchant's people have to look at: what could not be understood, and what contradicts a charge. */
export function findToSee(database: Queries, merchantId: string, most: number) {
  return database.run(selectToSee, { merchant_id: merchantId, most })
}

const insertNotification = statement({
  name: 'keep_notification',
  values: {
    id: text,
    gateway_id: text,
    gateway_type: text,
    merchant_id: text,
    news_key: text,
    name: text,
    news: jsonb<KeptNews>(),
    sent: jsonb<{ item: unknown }>(),
  },
  columns: { id: text },
  sql: `
    INSERT INTO gateway_notifications (id, gateway_id, gateway_type, merchant_id, news_key, name, news, sent)
    VALUES (:id, :gateway_id, :gateway_type, :merchant_id, :news_key, :name, :news, :sent)
    ON CONFLICT (gateway_id, news_key) DO NOTHING RETURNING id`,
})

/** The pause after each try: a second, doubled each time, up to five minutes. */
const PAUSE = "least(power(2, least(times_tried, 9)), 300) * interval '1 second'"

/** The gateway accounts for which something waits, each by one look into the index. */
const ACCOUNTS = `
  accounts (id) AS (
    (SELECT gateway_id FROM gateway_notifications WHERE state = 'waiting' ORDER BY gateway_id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT gateway_id FROM gateway_notifications WHERE state = 'waiting' AND gateway_id > accounts.id ORDER BY gateway_id LIMIT 1
    ) FROM accounts WHERE accounts.id IS NOT NULL
  )`

const takeDue = statement({
  name: 'take_notifications',
  values: { of_each: bigint },
  columns: {
    id: text,
    gateway_id: text,
    gateway_type: text,
    merchant_id: text,
    news: jsonb<KeptNews>(),
    is_old: bool,
    place: bigint,
  },
  sql: `
    WITH RECURSIVE ${ACCOUNTS}
    UPDATE gateway_notifications SET times_tried = times_tried + 1, try_after = now() + ${PAUSE}
    WHERE id = ANY (ARRAY(
      SELECT due.id FROM accounts CROSS JOIN LATERAL (
        SELECT id FROM gateway_notifications
        WHERE state = 'waiting' AND gateway_id = accounts.id AND try_after <= now()
        ORDER BY try_after LIMIT :of_each FOR UPDATE SKIP LOCKED
      ) due))
    RETURNING id, gateway_id, gateway_type, merchant_id, news, received_at <= now() - interval '1 hour' AS is_old, place`,
})

const allowed = sqlConditionFor(notificationMoves, 'put_off', (state) => `state = '${state}'`)
const updateHeard = statement({
  name: 'record_heard_notification',
  values: { id: text, state: textOf<NotificationState>(), why: nullable(text), charge_id: nullable(text) },
  columns: {},
  sql: `
    UPDATE gateway_notifications SET state = :state, why = :why, charge_id = coalesce(:charge_id, charge_id),
           try_after = CASE WHEN :state = 'waiting' THEN try_after END,
           done_at = CASE WHEN :state = 'done' THEN now() END
    WHERE id = :id AND ${allowed}`,
})

const selectIsDue = statement({
  name: 'see_due_notifications',
  values: {},
  columns: { is_due: bool },
  sql: `
    WITH RECURSIVE ${ACCOUNTS}
    SELECT EXISTS (SELECT FROM accounts CROSS JOIN LATERAL (
      SELECT FROM gateway_notifications WHERE state = 'waiting' AND gateway_id = accounts.id AND try_after <= now() LIMIT 1
    ) due) AS is_due`,
})

const deleteDone = statement({
  name: 'forget_notifications',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: 'DELETE FROM gateway_notifications',
    key: 'id',
    order: 'done_at',
    found: "gateway_notifications WHERE state = 'done' AND done_at <= now() - interval '90 days'",
  }),
})

const selectCounts = statement({
  name: 'count_notifications',
  values: {},
  columns: { gateway_type: text, state: textOf<NotificationState>(), count: bigint },
  sql: `
    SELECT gateway_type, state, count(*) AS count FROM gateway_notifications WHERE state <> 'done' GROUP BY 1, 2 ORDER BY 1, 2`,
})

const listedColumns = {
  id: text,
  gateway_id: text,
  gateway_type: text,
  merchant_id: text,
  name: text,
  sent: jsonb<{ item: unknown }>(),
  charge_id: nullable(text),
  state: textOf<NotificationState>(),
  why: nullable(text),
  times_tried: integer,
  received_at: timestamptz,
}
const selectListed = statement({
  name: 'list_notifications',
  values: { state: textOf<NotificationState>() },
  columns: listedColumns,
  sql: `
    SELECT id, gateway_id, gateway_type, merchant_id, name, sent, charge_id, state, why, times_tried, received_at
    FROM gateway_notifications WHERE state = :state ORDER BY received_at DESC, id DESC LIMIT 1000`,
})

const updateToLookAgain = statement({
  name: 'look_again_at_notifications',
  values: { merchant_id: text, charge_id: text },
  columns: {},
  sql: `
    UPDATE gateway_notifications SET state = 'waiting', try_after = date_trunc('milliseconds', now()), done_at = NULL
    WHERE merchant_id = :merchant_id AND charge_id = :charge_id AND (state = 'unexplained' OR (state = 'done' AND why IS NOT NULL))`,
})

const updateToReplay = statement({
  name: 'replay_notification',
  values: { id: text },
  columns: { id: text },
  sql: `
    UPDATE gateway_notifications SET state = 'waiting', times_tried = 0, try_after = now(), why = NULL, done_at = NULL
    WHERE id = :id RETURNING id`,
})

const dismissible = sqlConditionFor(notificationMoves, 'dismissed', (state) => `state = '${state}'`)
const updateDismissed = statement({
  name: 'dismiss_notification',
  values: { id: text, merchant_id: nullable(text), event_id: text, actor: text },
  columns: { id: text },
  sql: `
    WITH dismissed AS (
      UPDATE gateway_notifications SET state = 'done', why = NULL, done_at = now()
      WHERE id = :id AND merchant_id = coalesce(:merchant_id, merchant_id) AND ${dismissible}
      RETURNING id, merchant_id, gateway_id, charge_id
    ), told AS (
      ${eventSql({
        id: ':event_id',
        merchant: 'merchant_id',
        type: "'gateway.notification_dismissed'",
        subject: 'merchant_id',
        actor: ':actor',
        facts: "jsonb_build_object('id', gateway_id, 'notification_id', id, 'charge_id', charge_id)",
        from: 'dismissed',
      })}
    )
    SELECT id FROM dismissed`,
})

/** Of a payment that no charge has, another system knows more: those are for the operator. */
const selectToSee = statement({
  name: 'find_notifications_to_see',
  values: { merchant_id: text, most: bigint },
  columns: {
    id: text,
    charge_id: nullable(text),
    name: text,
    why: nullable(text),
    received_at: timestamptz,
  },
  sql: `
    SELECT id, charge_id, name, why, received_at FROM gateway_notifications
    WHERE merchant_id = :merchant_id AND state IN ('not_understood', 'unexplained')
      AND (state = 'not_understood' OR charge_id IS NOT NULL)
    ORDER BY received_at LIMIT :most`,
})
