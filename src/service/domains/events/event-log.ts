import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ChainHead, Event } from './chain.ts'

interface EventRow {
  id: string
  merchant_id: string
  type: string
  subject: string
  actor: string
  facts: Record<string, unknown>
  created_at: Date
}

/** An event in its place in the chain. */
export interface SealedEvent {
  seq: number
  hash: Buffer
  event: Event
}

/** What else is done with events as they are sealed, in the same statement: SQL that reads the rows of `from`. */
export type OnSealed = (names: { from: string }) => string

const columns = 'id, merchant_id, type, subject, actor, facts, created_at'

const readHead = statement<ChainHead>(
  'read_chain_head',
  "SELECT length, hash FROM event_chain WHERE name = 'events'",
)
const readOutbox = statement<EventRow>(
  'read_event_outbox',
  `SELECT ${columns} FROM event_outbox ORDER BY created_at, id LIMIT $1`,
)
const countUnsealed = statement<{ count: number }>(
  'count_unsealed_events',
  'SELECT count(*) AS count FROM event_outbox',
)
const readSealed = statement<EventRow & { seq: number; hash: Buffer }>(
  'read_sealed_events',
  `SELECT seq, hash, ${columns} FROM events WHERE seq > $1 ORDER BY seq LIMIT $2`,
)
/** Of several processes that seal at once the first moves the head; the others then find another head and do nothing. */
const sealEvents = (onSealed: OnSealed) =>
  statement<{ length: number }>(
    'seal_events',
    `WITH head AS (
       UPDATE event_chain SET length = $3, hash = $4 WHERE name = 'events' AND length = $1 AND hash = $2
       RETURNING length
     ), gone AS (
       DELETE FROM event_outbox USING head WHERE id = ANY ($5::text[])
       RETURNING ${columns}
     ), sealed AS (
       INSERT INTO events (seq, hash, ${columns})
       SELECT $1 + place.seq, place.hash, gone.*
       FROM gone JOIN unnest($5::text[], $6::bytea[]) WITH ORDINALITY AS place (id, hash, seq) ON place.id = gone.id
       RETURNING id, merchant_id, type
     ), more AS (${onSealed({ from: 'sealed' })})
     SELECT length FROM head`,
  )

/** The outbox and the chain in SQL. */
export interface EventLog {
  head: () => Promise<ChainHead>
  /** Events that are not sealed yet, oldest first. */
  unsealed: (limit: number) => Promise<Event[]>
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
      const [head] = await database.run(readHead, [])
      if (head === undefined)
        throw new Error('the head of the audit log is gone: its row in event_chain was deleted')
      return head
    },
    unsealed: async (limit) => (await database.run(readOutbox, [limit])).map(toEvent),
    countUnsealed: async () => (await database.run(countUnsealed, []))[0]?.count ?? 0,
    async seal(head, events) {
      const last = events.at(-1)
      if (last === undefined) return false
      const ids = events.map(({ event }) => event.id)
      const hashes = events.map(({ hash }) => hash)
      const moved = await database.run(seal, [head.length, head.hash, last.seq, last.hash, ids, hashes])
      return moved.length > 0
    },
    async after(seq, limit) {
      const rows = await database.run(readSealed, [seq, limit])
      return rows.map((row) => ({ seq: row.seq, hash: row.hash, event: toEvent(row) }))
    },
  }
}

function toEvent({ merchant_id: merchantId, created_at: createdAt, ...row }: EventRow): Event {
  const { id, type, subject, actor, facts } = row
  return { id, merchantId, type, subject, actor, facts, createdAt }
}
