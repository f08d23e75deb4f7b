import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createDatabase } from '../platform/database/database.ts'
import type { Database } from '../platform/database/database.ts'
import { MIGRATED_DATABASE } from './migrated-database.ts'
import { testStatement } from './test-statement.ts'

/** A new, empty database on the run's server. */
export function createTestDatabase(): Promise<Database> {
  return copyOf('template1')
}

/** A new database on the run's server that has the service's tables, and nothing in them. */
export function createMigratedDatabase(): Promise<Database> {
  return copyOf(MIGRATED_DATABASE)
}

async function copyOf(template: string): Promise<Database> {
  const connectionString = inject('connectionString')
  const name = `test_${randomBytes(8).toString('hex')}`
  // A copy of files: the other strategy writes each page of the template into the write-ahead log, which is searched for cards at the end.
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  return createDatabase({
    connectionString: connectionString.replace('/postgres?', `/${name}?`),
    connections: 8,
    onIdleError: () => undefined,
  })
}

const nameOf = testStatement<{ name: string }>('t_name', 'SELECT current_database() AS name')

/** The connection string of a database by another way to its server, at `host:port`. */
export async function urlAt(database: Database, place: string): Promise<string> {
  const [row] = await database.run(nameOf, [])
  return `postgres://svc@${place}/${row?.name ?? ''}?sslmode=disable`
}

/** Ends every connection to a database, and makes new ones impossible. */
export async function loseTestDatabase(database: Database): Promise<void> {
  const [row] = await database.run(nameOf, [])
  await asAdmin(`DROP DATABASE ${row?.name ?? ''} WITH (FORCE)`)
}

async function asAdmin(sql: string): Promise<void> {
  const connectionString = inject('connectionString')
  const admin = createDatabase({ connectionString, connections: 1, onIdleError: () => undefined })
  await admin.script(sql)
  await admin.close()
}
