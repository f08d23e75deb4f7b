import { WebhookEventType } from '../../../../contract/api/webhook.ts'
import type { Database } from '../../../platform/database/database.ts'
import { arrayOf, bigint, text, textOf, timestamptz } from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { IN_WINDOW, toWindowValues, windowTypes } from '../../../platform/listing/page-query.ts'
import type { Window } from '../../../platform/listing/page-query.ts'
import type { ToldEvent } from '../webhook.ts'

/** Which of a merchant's events are listed, newest first. */
export interface EventFilter extends Window {
  /** Null: all that webhooks can have. */
  type: WebhookEventType | null
  limit: number
}

/** What webhooks are told, to be read instead: of the audit log those events that a webhook can have. */
export interface EventLog {
  list: (merchantId: string, filter: EventFilter) => Promise<ToldEvent[]>
  find: (merchantId: string, id: string) => Promise<ToldEvent | null>
}

const eventColumns = { id: text, type: textOf<WebhookEventType>(), subject: text, created_at: timestamptz }

/**
 * A page of some types. Of each type no more are read than are shown, from their place in one index: so it takes no longer for a
 * type that hardly any has, or for a merchant whose audit log is full of others.
 */
export const listEvents = statement({
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
const findEvent = statement({
  name: 'find_event_of_types',
  values: { merchant_id: text, id: text, types: arrayOf(textOf<WebhookEventType>()) },
  columns: eventColumns,
  sql: `
    SELECT id, type, subject, created_at FROM events
    WHERE id = :id AND merchant_id = :merchant_id AND type = ANY (:types::text[])`,
})

export function createEventLog(database: Database): EventLog {
  return {
    async list(merchantId, { type, limit, ...window }) {
      const types = type === null ? WebhookEventType.options : [type]
      const values = { merchant_id: merchantId, types, limit, ...toWindowValues(window) }
      return (await database.run(listEvents, values)).map(toEvent)
    },
    async find(merchantId, id) {
      const values = { merchant_id: merchantId, id, types: WebhookEventType.options }
      const [row] = await database.run(findEvent, values)
      return row === undefined ? null : toEvent(row)
    },
  }
}

function toEvent({ created_at: createdAt, ...same }: ValuesOf<typeof eventColumns>): ToldEvent {
  return { ...same, createdAt }
}
