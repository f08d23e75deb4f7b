import type { WriteEvent } from '../../platform/write-event.ts'

/** The event waits in the outbox until it is sealed. */
export const writeEvent: WriteEvent = ({ id, merchant, type, subject, actor, facts, from }) =>
  `INSERT INTO event_outbox (id, merchant_id, type, subject, actor, facts)
   SELECT ${id}, ${merchant}, ${type}, ${subject}, ${actor}, ${facts} FROM ${from}`
