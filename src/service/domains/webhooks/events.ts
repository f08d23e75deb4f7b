import { WebhookEventType } from '../../../contract/api/webhook.ts'
import type { TEST_EVENT } from '../../../contract/api/webhook.ts'
import type { Database } from '../../platform/database/database.ts'
import { arrayOf, bigint, text, textOf, timestamptz } from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { IN_WINDOW, toWindowValues, windowTypes } from '../../platform/listing/page-query.ts'
import type { Window } from '../../platform/listing/page-query.ts'

/** An event that merchants see: one of the audit log, of a type that webhooks can have. */
export interface MerchantEvent {
  id: string
  type: string
  /** The id of what it is about. */
  subject: string
  createdAt: Date
}

/** What an event is about: the first word of its type. */
export type EventKind = WebhookEventType | typeof TEST_EVENT extends `${infer Kind}.${string}` ? Kind : never

/** The wire form of what an event is about, as it was right after that event. Rejects if there is no such thing. */
export type ResourceAsOf = (event: MerchantEvent) => Promise<object>

/** Each domain's, by the kind of event. */
export type ResourcesAsOf = Readonly<Record<EventKind, ResourceAsOf>>

/** What merchants get of an event, by a message and by the list of events. Its id goes beside it. */
interface EventContent {
  type: string
  timestamp: string
  data: object
}

export async function contentOf(resources: ResourcesAsOf, event: MerchantEvent): Promise<EventContent> {
  const kind = kindOf(event.type)
  if (kind === null) throw new Error(`nothing shows an event of type ${event.type}`)
  const data = await resources[kind](event)
  return { type: event.type, timestamp: event.createdAt.toISOString(), data }
}

const kinds: Readonly<Record<EventKind, true>> = {
  charge: true,
  dispute: true,
  checkout: true,
  agreement: true,
  payment: true,
  test: true,
}

/** The kind of a type that webhooks can have; null for any other. */
export function kindOf(type: string): EventKind | null {
  const [word] = type.split('.')
  return word === undefined || !isKind(word) ? null : word
}

function isKind(word: string): word is EventKind {
  return Object.hasOwn(kinds, word)
}

/** Which of a merchant's events are listed, newest first. */
interface EventFilter extends Window {
  /** Null: all that webhooks can have. */
  type: WebhookEventType | null
  limit: number
}

export async function listEvents(
  database: Database,
  merchantId: string,
  { type, limit, ...window }: EventFilter,
): Promise<MerchantEvent[]> {
  const types = type === null ? WebhookEventType.options : [type]
  const values = { merchant_id: merchantId, types, limit, ...toWindowValues(window) }
  return (await database.run(listEventsOfTypes, values)).map(toEvent)
}

export async function findEvent(
  database: Database,
  merchantId: string,
  id: string,
): Promise<MerchantEvent | null> {
  const values = { merchant_id: merchantId, id, types: WebhookEventType.options }
  const [row] = await database.run(findEventOfTypes, values)
  return row === undefined ? null : toEvent(row)
}

const eventColumns = { id: text, type: textOf<WebhookEventType>(), subject: text, created_at: timestamptz }

/**
 * Of each type it reads at most `limit`, from one place in an index: so a rare type takes no longer than a common one, also for a
 * merchant whose audit log is full of others.
 */
export const listEventsOfTypes = statement({
  name: 'list_events_of_types',
  values: { merchant_id: text, types: arrayOf(textOf<WebhookEventType>()), ...windowTypes, limit: bigint },
  columns: eventColumns,
  sql: `
    SELECT found.id, found.type, found.subject, found.created_at
    FROM unnest(:types::text[]) AS wanted (type) CROSS JOIN LATERAL (
      SELECT id, type, subject, created_at FROM events
      WHERE merchant_id = :merchant_id AND type = wanted.type AND ${IN_WINDOW}
      ORDER BY created_at DESC, id DESC LIMIT :limit
    ) found
    ORDER BY found.created_at DESC, found.id DESC LIMIT :limit`,
})

const findEventOfTypes = statement({
  name: 'find_event_of_types',
  values: { merchant_id: text, id: text, types: arrayOf(textOf<WebhookEventType>()) },
  columns: eventColumns,
  sql: `
    SELECT id, type, subject, created_at FROM events
    WHERE id = :id AND merchant_id = :merchant_id AND type = ANY (:types::text[])`,
})

function toEvent({ created_at: createdAt, ...same }: ValuesOf<typeof eventColumns>): MerchantEvent {
  return { ...same, createdAt }
}
