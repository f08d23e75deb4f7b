import { addEvent } from './events.ts'
import type { NewEvent as WholeEvent } from './events.ts'
import type { Queries } from './database/database.ts'
import type { CreateId } from './identifiers.ts'
import type { WriteEvent } from './write-event.ts'

/** An event before it has an id. */
export type NewEvent = Omit<WholeEvent, 'id'>

/** Adds one event to the audit log. New code calls `addEvent` of `events.ts`. */
export type AddEvent = (queries: Queries, event: NewEvent) => Promise<unknown>

export function createAddEvent(_writeEvent: WriteEvent, createId: CreateId): AddEvent {
  return (queries, event) => addEvent(queries, { id: createId(), ...event })
}
