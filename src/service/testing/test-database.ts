import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createDatabase } from '../database/database.ts'
import type { Database } from '../database/database.ts'

/** A new, empty database on the run's server. */
export async function createTestDatabase(): Promise<Database> {
  const connectionString = inject('connectionString')
  const name = `test_${randomBytes(8).toString('hex')}`
  const admin = createDatabase({ connectionString, connections: 1, onIdleError: () => undefined })
  await admin.script(`CREATE DATABASE ${name}`)
  await admin.close()
  return createDatabase({
    connectionString: connectionString.replace('/postgres?', `/${name}?`),
    connections: 8,
    onIdleError: () => undefined,
  })
}
