import type { Database } from '../../platform/database/database.ts'
import { bigint, jsonb, nullable, text, timestamptz } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { IN_WINDOW, toWindowValues, windowTypes } from '../../platform/listing/page-query.ts'
import type { Window } from '../../platform/listing/page-query.ts'
import { toCursor } from '../../platform/listing/cursor.ts'
import type { Position } from '../../platform/listing/cursor.ts'
import type { AuditEvent } from './chain.ts'

/** Which of a merchant's events are listed, newest first; null: any. */
export interface EventFilter extends Window {
  type: string | null
  subject: string | null
  /** One actor, or `people`: all but keys, access tokens and the service itself. */
  actor: string | null
  limit: number
}

type ListedEvent = Omit<AuditEvent, 'merchantId'>

export interface EventPage {
  shown: ListedEvent[]
  /** Where the next page begins. A search may find few events or none on a page that has a next one. */
  next: string | null
}

/** Lists a page of a merchant's audit log. */
export async function listAudit(
  database: Database,
  merchantId: string,
  filter: EventFilter,
): Promise<EventPage> {
  const { list, lastSeen } = statements[whoseOf(filter.actor)]
  const bounds = { merchant_id: merchantId, ...toWindowValues(filter) }
  const { type, subject, limit } = filter
  const actor = filter.actor === 'people' ? null : filter.actor
  const rows = await database.run(list, {
    ...bounds,
    type,
    subject,
    actor,
    most_seen: MAX_SEEN,
    limit: limit + 1,
  })
  const found = rows.map(({ created_at: createdAt, ...row }) => ({ ...row, createdAt }))
  const shown = found.slice(0, limit)
  if (found.length > limit) return { shown, next: cursorOf(shown.at(-1)) }
  if (type === null && subject === null && actor === null) return { shown, next: null }
  const [end] = await database.run(lastSeen, {
    ...bounds,
    most_seen: MAX_SEEN,
    seen_before: MAX_SEEN - 1,
  })
  return { shown, next: cursorOf(end && { id: end.id, createdAt: end.created_at }) }
}

/**
 * A page looks at this many events at most; a search goes on with the next page. It is passed as a value: with a constant
 * in the SQL that exceeds most merchants' events, the cached plan would sort all events of a large merchant.
 */
const MAX_SEEN = 5000

const columns = {
  id: text,
  type: text,
  subject: text,
  actor: text,
  facts: jsonb<Record<string, unknown>>(),
  created_at: timestamptz,
}
const boundTypes = { merchant_id: text, ...windowTypes }

/** The index `events_of_people` holds only the few events that people made; gateways' are among them. */
const OF = {
  all: 'true',
  people: "actor NOT IN ('merchant', 'service') AND actor <> 'gateway'",
}
type Whose = keyof typeof OF

const inBounds = (whose: Whose) => `merchant_id = :merchant_id AND ${OF[whose]} AND ${IN_WINDOW}`

const listEvents = (whose: Whose) =>
  statement({
    name: `list_events_of_${whose}`,
    values: {
      ...boundTypes,
      type: nullable(text),
      subject: nullable(text),
      actor: nullable(text),
      most_seen: bigint,
      limit: bigint,
    },
    columns,
    sql: `
      SELECT id, type, subject, actor, facts, created_at FROM (
        SELECT * FROM events WHERE ${inBounds(whose)} ORDER BY created_at DESC, id DESC LIMIT :most_seen
      ) seen
      WHERE (:type::text IS NULL OR type = :type) AND (:subject::text IS NULL OR subject = :subject)
        AND (:actor::text IS NULL OR actor = :actor)
      ORDER BY created_at DESC, id DESC LIMIT :limit`,
  })
/** The last event that was looked at: where the next page begins. No row if there were no more events. */
const findLastSeen = (whose: Whose) =>
  statement({
    name: `end_of_events_seen_of_${whose}`,
    values: { ...boundTypes, most_seen: bigint, seen_before: bigint },
    columns: { id: text, created_at: timestamptz },
    sql: `
      SELECT id, created_at FROM (
        SELECT id, created_at FROM events WHERE ${inBounds(whose)} ORDER BY created_at DESC, id DESC LIMIT :most_seen
      ) seen
      ORDER BY created_at DESC, id DESC OFFSET :seen_before`,
  })

const statements = {
  all: { list: listEvents('all'), lastSeen: findLastSeen('all') },
  people: { list: listEvents('people'), lastSeen: findLastSeen('people') },
}

function whoseOf(actor: string | null): Whose {
  return actor === null || actor === 'merchant' || actor === 'service' ? 'all' : 'people'
}

function cursorOf(place: Position | undefined): string | null {
  return place === undefined ? null : toCursor(place)
}
