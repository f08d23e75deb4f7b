import type { Actor } from '../../contract/dashboard/audit.ts'
import type { Queries } from './database/database.ts'
import { jsonb, text } from './database/sql-types.ts'
import { statement } from './database/statement.ts'
import type { CreateId } from './identifiers.ts'
import type { WriteEvent } from './write-event.ts'

/** An event before it has an id. `EventNames` in `write-event.ts` says what each part holds. */
export interface NewEvent {
  merchantId: string
  type: string
  subject: string
  actor: Actor
  facts: object
}

/** Adds one event to the audit log by a statement of its own: within a transaction, or alone where nothing else changes. */
export type AddEvent = (queries: Queries, event: NewEvent) => Promise<unknown>

export function createAddEvent(writeEvent: WriteEvent, createId: CreateId): AddEvent {
  const add = statement({
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
    sql: writeEvent({
      id: ':event_id',
      merchant: ':merchant_id',
      type: ':event_type',
      subject: ':subject',
      actor: ':actor',
      facts: ':facts',
      from: '(SELECT 1) AS once',
    }),
  })
  return (queries, { merchantId, type, ...event }) =>
    queries.run(add, { event_id: createId(), merchant_id: merchantId, event_type: type, ...event })
}
