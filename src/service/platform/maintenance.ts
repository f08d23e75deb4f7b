import type { Queries } from './database/database.ts'
import { integer, text } from './database/sql-types.ts'
import { statement } from './database/statement.ts'
import type { WriteEvent } from './write-event.ts'

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

const eventParts = { id: ':event_id', merchant: "''", subject: "'service'", actor: ':actor', from: 'changed' }
const actTypes = { event_id: text, actor: text }

const begin = (writeEvent: WriteEvent) => {
  const facts = "jsonb_build_object('retry_after', retry_after_seconds)"
  const event = writeEvent({ ...eventParts, type: "'maintenance.started'", facts })
  return statement({
    name: 'begin_maintenance',
    values: { ...actTypes, retry_after_seconds: integer },
    columns: { name: text },
    sql: `
      WITH changed AS (
        INSERT INTO maintenance AS current (name, retry_after_seconds) VALUES ('service', :retry_after_seconds)
        ON CONFLICT (name) DO UPDATE SET retry_after_seconds = excluded.retry_after_seconds
          WHERE current.retry_after_seconds <> excluded.retry_after_seconds
        RETURNING name, retry_after_seconds
      ), event AS (${event})
      SELECT name FROM changed`,
  })
}
const end = (writeEvent: WriteEvent) => {
  const event = writeEvent({ ...eventParts, type: "'maintenance.ended'", facts: "'{}'::jsonb" })
  return statement({
    name: 'end_maintenance',
    values: actTypes,
    columns: { name: text },
    sql: `
      WITH changed AS (DELETE FROM maintenance RETURNING name), event AS (${event})
      SELECT name FROM changed`,
  })
}

/** Who does it, and the id of the event that is written with it. */
interface Act {
  id: string
  actor: string
}

/** Turns maintenance on and off for every process on the database. Each call tells whether it changed anything. */
export interface MaintenanceSwitch {
  /** `retryAfter`: the seconds that callers are told to wait. It can be changed during maintenance. */
  begin: (retryAfter: number, act: Act) => Promise<boolean>
  end: (act: Act) => Promise<boolean>
}

export function createMaintenanceSwitch(database: Queries, writeEvent: WriteEvent): MaintenanceSwitch {
  const beginning = begin(writeEvent)
  const ending = end(writeEvent)
  return {
    async begin(retryAfter, { id, actor }) {
      const values = { retry_after_seconds: retryAfter, event_id: id, actor }
      return (await database.run(beginning, values)).length > 0
    },
    end: async ({ id, actor }) => (await database.run(ending, { event_id: id, actor })).length > 0,
  }
}
