import type { Database } from '../../platform/database/database.ts'
import {
  arrayOf,
  bigint,
  bytea,
  float8,
  jsonb,
  nullable,
  text,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { AuditEvent, ChainHead, SealedEvent } from './chain.ts'

/** Reads where the chain ends. */
export async function readHead(database: Database): Promise<ChainHead> {
  const [head] = await database.run(selectHead, {})
  if (head === undefined) throw headIsGone()
  return head
}

const selectHead = statement({
  name: 'read_chain_head',
  values: {},
  columns: { length: bigint, hash: bytea },
  sql: "SELECT length, hash FROM event_chain WHERE name = 'events'",
})

const headIsGone = () => new Error('the head of the audit log is gone: its row in event_chain was deleted')

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

/** Where the chain ends, and events that are not sealed yet, oldest first: both as of one moment. */
export async function readUnsealed(
  database: Database,
  limit: number,
): Promise<{ head: ChainHead; events: AuditEvent[] }> {
  const rows = await database.run(selectOutbox, { most: limit })
  const [first] = rows
  if (first === undefined) throw headIsGone()
  const events = rows.flatMap(({ id, ...row }) => (id === null ? [] : [toEvent({ id, ...row })]))
  return { head: { length: first.length, hash: first.head_hash }, events }
}

/** Returns one row without an event if none waits. */
const selectOutbox = statement({
  name: 'read_event_outbox',
  values: { most: bigint },
  columns: { length: bigint, head_hash: bytea, ...eventColumns, id: nullable(text) },
  sql: `
    SELECT length, hash AS head_hash, waiting.*
    FROM event_chain LEFT JOIN (SELECT ${columns} FROM event_outbox ORDER BY created_at, id LIMIT :most) waiting ON true
    WHERE name = 'events' ORDER BY created_at, id`,
})

export async function countUnsealed(database: Database): Promise<number> {
  return (await database.run(countOutbox, {}))[0]?.count ?? 0
}

const countOutbox = statement({
  name: 'count_unsealed_events',
  values: {},
  columns: { count: bigint },
  sql: 'SELECT count(*) AS count FROM event_outbox',
})

/** Reads sealed events after a place in the chain. */
export async function readSealed(database: Database, after: number, limit: number): Promise<SealedEvent[]> {
  const rows = await database.run(selectSealed, { after, most: limit })
  return rows.map((row) => ({ seq: row.seq, hash: row.hash, event: toEvent(row) }))
}

const selectSealed = statement({
  name: 'read_sealed_events',
  values: { after: bigint, most: bigint },
  columns: { seq: bigint, hash: bytea, ...eventColumns },
  sql: `SELECT seq, hash, ${columns} FROM events WHERE seq > :after ORDER BY seq LIMIT :most`,
})

/** Moves events from the outbox to the end of the chain; false if it no longer ends at `head`. */
export async function seal(
  database: Database,
  sealing: SealStatement,
  head: ChainHead,
  events: readonly SealedEvent[],
): Promise<boolean> {
  const last = events.at(-1)
  if (last === undefined) return false
  const moved = await database.run(sealing, {
    ...head,
    new_length: last.seq,
    new_hash: last.hash,
    ids: events.map(({ event }) => event.id),
    hashes: events.map(({ hash }) => hash),
  })
  return moved.length > 0
}

/** SQL that is run with each sealing, in the same statement; it reads the sealed events from `from`. */
export type OnSealed = (names: { from: string }) => string

export type SealStatement = ReturnType<typeof sealStatement>

/** Of several processes that seal at once the first moves the head; the others then find another head and do nothing. */
export const sealStatement = (onSealed: OnSealed) =>
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

function toEvent({
  merchant_id: merchantId,
  created_at: createdAt,
  ...row
}: ValuesOf<typeof eventColumns>): AuditEvent {
  const { id, type, subject, actor, facts } = row
  return { id, merchantId, type, subject, actor, facts, createdAt }
}

/** What the checks of the chain have found. */
export interface ChainState {
  /** How many events are sealed. */
  length: number
  /** The length that the last complete round found intact; 0 before the first round has ended. */
  verifiedLength: number
  verifiedAt: Date | null
  /** The first place that is not as it was sealed; null if the last round found none. */
  brokenAt: number | null
}

export async function readChainState(database: Database): Promise<ChainState> {
  const [row] = await database.run(selectChainState, {})
  if (row === undefined) throw new Error('the head of the audit log is gone, or what is known of its checks')
  const { length, verified_length: verifiedLength } = row
  return { length, verifiedLength, verifiedAt: row.verified_at, brokenAt: row.broken_at }
}

const selectChainState = statement({
  name: 'read_chain_check',
  values: {},
  columns: {
    length: bigint,
    verified_length: bigint,
    verified_at: nullable(timestamptz),
    broken_at: nullable(bigint),
  },
  sql: `
    SELECT h.length, c.verified_length, c.verified_at, c.broken_at
    FROM event_chain h JOIN event_chain_check c ON c.name = h.name WHERE h.name = 'events'`,
})

/**
 * Takes the next step of a round of checks: where it begins, and where the chain ended at the end of the last round. Null if no step
 * is due, or another process has taken it.
 */
export async function takeCheckStep(
  database: Database,
): Promise<{ from: ChainHead; noted: ChainHead | null } | null> {
  const [row] = await database.run(takeStep, {})
  if (row === undefined) return null
  const { length, hash, verified_length: verifiedLength, verified_hash: verifiedHash } = row
  const noted = verifiedLength === 0 ? null : { length: verifiedLength, hash: verifiedHash }
  return { from: { length, hash }, noted }
}

/** Longer than a step takes; after it another process may take over from one that has died. */
const LEASE = "interval '10 seconds'"

const takeStep = statement({
  name: 'take_chain_check',
  values: {},
  columns: { length: bigint, hash: bytea, verified_length: bigint, verified_hash: bytea },
  sql: `
    UPDATE event_chain_check SET due_at = now() + ${LEASE} WHERE name = 'events' AND due_at <= now()
    RETURNING length, hash, verified_length, verified_hash`,
})

/** Where the next round begins, and after what pause. */
interface NextRound {
  beginning: ChainHead
  pauseSeconds: number
}

/** The round goes on at `place`. */
export async function goOnChecking(database: Database, from: ChainHead, place: ChainHead): Promise<void> {
  await database.run(moveCheck, toPlace(from, { beginning: place, pauseSeconds: 0 }))
}

/** The round has ended at `end`. */
export async function noteIntact(
  database: Database,
  from: ChainHead,
  end: ChainHead,
  next: NextRound,
): Promise<void> {
  const verified = { verified_length: end.length, verified_hash: end.hash }
  await database.run(endIntact, { ...toPlace(from, next), ...verified })
}

export async function noteBroken(
  database: Database,
  from: ChainHead,
  brokenAt: number,
  next: NextRound,
): Promise<void> {
  await database.run(endBroken, { ...toPlace(from, next), broken_at: brokenAt })
}

const toPlace = (from: ChainHead, { beginning, pauseSeconds }: NextRound) => ({
  from: from.length,
  ...beginning,
  pause_seconds: pauseSeconds,
})

const placeTypes = { from: bigint, length: bigint, hash: bytea, pause_seconds: float8 }
const PLACE = "length = :length, hash = :hash, due_at = now() + :pause_seconds * interval '1 second'"
/** A step that another process made in the meantime wins. */
const IF_SAME = "name = 'events' AND length = :from"

const moveCheck = statement({
  name: 'go_on_checking_chain',
  values: placeTypes,
  columns: {},
  sql: `UPDATE event_chain_check SET ${PLACE} WHERE ${IF_SAME}`,
})

const endIntact = statement({
  name: 'note_intact_chain',
  values: { ...placeTypes, verified_length: bigint, verified_hash: bytea },
  columns: {},
  sql: `
    UPDATE event_chain_check SET ${PLACE}, verified_length = :verified_length, verified_hash = :verified_hash,
      verified_at = now(), broken_at = NULL WHERE ${IF_SAME}`,
})

const endBroken = statement({
  name: 'note_broken_chain',
  values: { ...placeTypes, broken_at: bigint },
  columns: {},
  sql: `UPDATE event_chain_check SET ${PLACE}, broken_at = :broken_at WHERE ${IF_SAME}`,
})
