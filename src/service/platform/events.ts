import type { Actor } from '../../contract/dashboard/audit.ts'
import type { EventType } from '../../contract/dashboard/event-types.ts'
import type { Queries } from './database/database.ts'
import { jsonb, text } from './database/sql-types.ts'
import { statement } from './database/statement.ts'

/** The parts of an event, as columns or placeholders of the statement that writes it. */
interface EventColumns {
  id: string
  /** Empty string if the event has no merchant. */
  merchant: string
  /** SQL: a type in quotes, a placeholder, or a kind and the column that ends the type. */
  type: `'${EventType}'` | `:${string}` | `'${'agreement' | 'payment'}.' || ${string}`
  /** What it is about: the id of a charge, a merchant, a webhook; `service` for all of it. */
  subject: string
  /** An `Actor` of `contract/dashboard/audit.ts`. */
  actor: string
  /** JSON without secrets; numbers in it are integers. */
  facts: string
  /** Each row of it is an event. */
  from: string
}

/** SQL that writes events, for a change's own statement: so there is no change without its event. They wait in the outbox to be sealed. */
export const eventSql = ({ id, merchant, type, subject, actor, facts, from }: EventColumns): string =>
  `INSERT INTO event_outbox (id, merchant_id, type, subject, actor, facts)
   SELECT ${id}, ${merchant}, ${type}, ${subject}, ${actor}, ${facts} FROM ${from}`

/** An event to write; `EventColumns` says what each part holds. */
export interface NewEvent {
  id: string
  merchantId: string
  type: EventType
  subject: string
  actor: Actor
  facts: object
}

/** Writes one event by a statement of its own: within a transaction, or alone if nothing else changes. */
export async function addEvent(
  queries: Queries,
  { id, merchantId, type, ...event }: NewEvent,
): Promise<void> {
  await queries.run(insertEvent, { event_id: id, merchant_id: merchantId, event_type: type, ...event })
}

const insertEvent = statement({
  name: 'add_event',
  values: {
    event_id: text,
    merchant_id: text,
    event_type: text,
    subject: text,
    actor: text,
    facts: jsonb(),
  },
  columns: {},
  sql: eventSql({
    id: ':event_id',
    merchant: ':merchant_id',
    type: ':event_type',
    subject: ':subject',
    actor: ':actor',
    facts: ':facts',
    from: '(SELECT 1) AS once',
  }),
})
