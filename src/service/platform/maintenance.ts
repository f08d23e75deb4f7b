import type { Queries } from './database/database.ts'
import { integer, text } from './database/sql-types.ts'
import { statement } from './database/statement.ts'
import { eventSql } from './events.ts'

const readMaintenance = statement({
  name: 'read_maintenance',
  values: {},
  columns: { retry_after_seconds: integer },
  sql: 'SELECT retry_after_seconds FROM maintenance',
})

/** Whether the operator has put the service into maintenance, as the database said last. */
export interface Maintenance {
  /** Seconds after which callers may try again; null while there is no maintenance. */
  retryAfter: () => number | null
  /** Reads the state from the database. When that fails, the last known state stays. */
  refresh: () => Promise<void>
}

/** Asks the database for the first time. */
export async function startMaintenance(database: Queries): Promise<Maintenance> {
  const read = async () => (await database.run(readMaintenance, {}))[0]?.retry_after_seconds ?? null
  let retryAfter = await read()
  return {
    retryAfter: () => retryAfter,
    async refresh() {
      retryAfter = await read()
    },
  }
}

const eventColumns = {
  id: ':event_id',
  merchant: "''",
  subject: "'service'",
  actor: ':actor',
  from: 'changed',
}
const actTypes = { event_id: text, actor: text }

const begin = statement({
  name: 'begin_maintenance',
  values: { ...actTypes, retry_after_seconds: integer },
  columns: { name: text },
  sql: `
    WITH changed AS (
      INSERT INTO maintenance AS current (name, retry_after_seconds) VALUES ('service', :retry_after_seconds)
      ON CONFLICT (name) DO UPDATE SET retry_after_seconds = excluded.retry_after_seconds
        WHERE current.retry_after_seconds <> excluded.retry_after_seconds
      RETURNING name, retry_after_seconds
    ), event AS (${eventSql({
      ...eventColumns,
      type: "'maintenance.started'",
      facts: "jsonb_build_object('retry_after', retry_after_seconds)",
    })})
    SELECT name FROM changed`,
})

/** Who does it, and the id of the event that is written with it. */
interface Act {
  id: string
  actor: string
}

/**
 * Turns maintenance on for every process on the database, or changes the `Retry-After` of callers. Returns whether anything
 * changed.
 */
export async function beginMaintenance(
  queries: Queries,
  retryAfter: number,
  { id, actor }: Act,
): Promise<boolean> {
  const values = { retry_after_seconds: retryAfter, event_id: id, actor }
  return (await queries.run(begin, values)).length > 0
}

const end = statement({
  name: 'end_maintenance',
  values: actTypes,
  columns: { name: text },
  sql: `
    WITH changed AS (DELETE FROM maintenance RETURNING name),
         event AS (${eventSql({ ...eventColumns, type: "'maintenance.ended'", facts: "'{}'::jsonb" })})
    SELECT name FROM changed`,
})

/** Turns maintenance off for every process on the database. Returns whether it was on. */
export async function endMaintenance(queries: Queries, { id, actor }: Act): Promise<boolean> {
  return (await queries.run(end, { event_id: id, actor })).length > 0
}
