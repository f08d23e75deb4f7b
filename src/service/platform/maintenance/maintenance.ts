import type { Queries } from '../database/database.ts'
import { integer } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'

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
