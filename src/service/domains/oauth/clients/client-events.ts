import type { Actor } from '../../../../contract/dashboard/audit.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { jsonb, text } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { WriteEvent } from '../../../platform/write-event.ts'

/** Who acts, for the audit log, and how that is written. */
export interface Acts {
  writeEvent: WriteEvent
  createId: CreateId
  actor: Actor
}

/** Writes an event about a client within a transaction; the facts hold no secrets. */
type AddClientEvent = (queries: Queries, clientId: string, type: string, facts: object) => Promise<unknown>

export function createAddClientEvent({ writeEvent, createId, actor }: Acts): AddClientEvent {
  const insertEvent = statement({
    name: 'add_oauth_client_event',
    values: { client_id: text, event_id: text, event_type: text, actor: text, facts: jsonb() },
    columns: {},
    sql: writeEvent({
      id: ':event_id',
      merchant: 'merchant_id',
      type: ':event_type',
      subject: 'merchant_id',
      actor: ':actor',
      facts: ':facts',
      from: 'oauth_clients WHERE id = :client_id',
    }),
  })
  return (queries, clientId, type, facts) =>
    queries.run(insertEvent, {
      client_id: clientId,
      event_id: createId(),
      event_type: type,
      actor,
      facts: { client_id: clientId, ...facts },
    })
}
