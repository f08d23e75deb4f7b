import type { Database } from '../../platform/database/database.ts'
import {
  arrayOf,
  bigint,
  bytea,
  jsonb,
  nullable,
  text,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { ChainHead, Event } from './chain.ts'

const eventColumns = {
  id: text,
  merchant_id: text,
  type: text,
  subject: text,
  actor: text,
  facts: jsonb<Record<string, unknown>>(),
  created_at: timestamptz,
}
const columns = Object.keys(eventColumns).join(', ')

/** An event in its place in the chain. */
export interface SealedEvent {
  seq: number
  hash: Buffer
  event: Event
}

/** What else is done with events as they are sealed, in the same statement: SQL that reads the rows of `from`. */
export type OnSealed = (names: { from: string }) => string

const readHead = statement({
  name: 'read_chain_head',
  values: {},
  columns: { length: bigint, hash: bytea },
  sql: "SELECT length, hash FROM event_chain WHERE name = 'events'",
})
/** One row without an event where none waits. */
const readOutbox = statement({
  name: 'read_event_outbox',
  values: { most: bigint },
  columns: { length: bigint, head_hash: bytea, ...eventColumns, id: nullable(text) },
  sql: `
    SELECT length, hash AS head_hash, waiting.*
    FROM event_chain LEFT JOIN (SELECT ${columns} FROM event_outbox ORDER BY created_at, id LIMIT :most) waiting ON true
    WHERE name = 'events' ORDER BY created_at, id`,
})
const countUnsealed = statement({
  name: 'count_unsealed_events',
  values: {},
  columns: { count: bigint },
  sql: 'SELECT count(*) AS count FROM event_outbox',
})
const readSealed = statement({
  name: 'read_sealed_events',
  values: { after: bigint, most: bigint },
  columns: { seq: bigint, hash: bytea, ...eventColumns },
  sql: `SELECT seq, hash, ${columns} FROM events WHERE seq > :after ORDER BY seq LIMIT :most`,
})
/** Of several processes that seal at once the first moves the head; the others then find another head and do nothing. */
const sealEvents = (onSealed: OnSealed) =>
  statement({
    name: 'seal_events',
    values: {
      length: bigint,
      hash: bytea,
      new_length: bigint,
      new_hash: bytea,
      ids: arrayOf(text),
      hashes: arrayOf(bytea),
    },
    columns: { length: bigint },
    sql: `
      WITH head AS (
        UPDATE event_chain SET length = :new_length, hash = :new_hash
        WHERE name = 'events' AND length = :length AND hash = :hash
        RETURNING length
      ), gone AS (
        DELETE FROM event_outbox USING head WHERE id = ANY (:ids::text[])
        RETURNING ${columns}
      ), sealed AS (
        INSERT INTO events (seq, hash, ${columns})
        SELECT :length + place.seq, place.hash, gone.*
        FROM gone JOIN unnest(:ids::text[], :hashes::bytea[]) WITH ORDINALITY AS place (id, hash, seq) ON place.id = gone.id
        RETURNING id, merchant_id, type, subject
      ), more AS (${onSealed({ from: 'sealed' })})
      SELECT length FROM head`,
  })

/** The outbox and the chain in SQL. */
export interface EventLog {
  head: () => Promise<ChainHead>
  /** Where the chain ends, and events that are not sealed yet, oldest first: both as they were at one moment. */
  unsealed: (limit: number) => Promise<{ head: ChainHead; events: Event[] }>
  countUnsealed: () => Promise<number>
  /** Moves events from the outbox to the end of the chain; false when it no longer ends at `head`. */
  seal: (head: ChainHead, events: readonly SealedEvent[]) => Promise<boolean>
  /** Sealed events after a place in the chain. */
  after: (seq: number, limit: number) => Promise<SealedEvent[]>
}

export function createEventLog(database: Database, onSealed: OnSealed): EventLog {
  const seal = sealEvents(onSealed)
  return {
    async head() {
      const [head] = await database.run(readHead, {})
      if (head === undefined) throw headIsGone()
      return head
    },
    async unsealed(limit) {
      const rows = await database.run(readOutbox, { most: limit })
      const [first] = rows
      if (first === undefined) throw headIsGone()
      const events = rows.flatMap(({ id, ...row }) => (id === null ? [] : [toEvent({ id, ...row })]))
      return { head: { length: first.length, hash: first.head_hash }, events }
    },
    countUnsealed: async () => (await database.run(countUnsealed, {}))[0]?.count ?? 0,
    async seal(head, events) {
      const last = events.at(-1)
      if (last === undefined) return false
      const moved = await database.run(seal, {
        ...head,
        new_length: last.seq,
        new_hash: last.hash,
        ids: events.map(({ event }) => event.id),
        hashes: events.map(({ hash }) => hash),
      })
      return moved.length > 0
    },
    async after(seq, limit) {
      const rows = await database.run(readSealed, { after: seq, most: limit })
      return rows.map((row) => ({ seq: row.seq, hash: row.hash, event: toEvent(row) }))
    },
  }
}

const headIsGone = () => new Error('the head of the audit log is gone: its row in event_chain was deleted')

function toEvent({
  merchant_id: merchantId,
  created_at: createdAt,
  ...row
}: ValuesOf<typeof eventColumns>): Event {
  const { id, type, subject, actor, facts } = row
  return { id, merchantId, type, subject, actor, facts, createdAt }
}
