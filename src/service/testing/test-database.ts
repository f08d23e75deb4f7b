import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createDatabase } from '../platform/database/database.ts'
import type { Database } from '../platform/database/database.ts'
import { testStatement } from './test-statement.ts'

/** A new, empty database on the run's server. */
export async function createTestDatabase(): Promise<Database> {
  const connectionString = inject('connectionString')
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(`CREATE DATABASE ${name}`)
  return createDatabase({
    connectionString: connectionString.replace('/postgres?', `/${name}?`),
    connections: 8,
    onIdleError: () => undefined,
  })
}

const nameOf = testStatement<{ name: string }>('t_name', 'SELECT current_database() AS name')

/** Takes a database away from under whoever is connected to it. */
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
