import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createMigratedDatabase, createTestDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { checkServer, checkTables } from './check-server.ts'
import { createDatabase } from './database.ts'
import type { Database } from './database.ts'
import { migrations } from './migrations.ts'

const own = testStatement<{ name: string }>('t_own_name', 'SELECT current_database() AS name')
const nameOf = async (database: Database) => (await database.run(own, []))[0]?.name ?? ''

/** Connects to a database of the run's server as a role. */
function connect(name: string, role = 'svc'): Database {
  const url = inject('connectionString').replace('/postgres?', `/${name}?`).replace('svc@', `${role}@`)
  const database = createDatabase({ connectionString: url, connections: 2, onIdleError: () => undefined })
  onTestFinished(() => database.close())
  return database
}

describe('a server', () => {
  let admin: Database
  let name: string
  beforeAll(async () => {
    admin = await createTestDatabase()
    name = await nameOf(admin)
  })
  afterAll(() => admin.close())

  it('as it is made is right', async () => {
    expect(await checkServer(connect(name), 22)).toEqual([expect.stringContaining('fsync = on')])
  })

  it.each([
    ['search_path = nowhere', /^search_path = nowhere names no schema.*SET search_path = public/],
    ["search_path = ''", /^search_path = "" names no schema.*SET search_path = public/],
    ['search_path = pg_temp, public', /^search_path = pg_temp, public names no schema/],
    ['search_path = pg_catalog', /^search_path = pg_catalog names no schema/],
    [
      'default_transaction_read_only = on',
      /only read: ALTER ROLE svc IN DATABASE \w+ SET default_transaction_read_only = off$/,
    ],
  ])('whose sessions have %s is refused in one line that says what to change', async (setting, words) => {
    await admin.script(`ALTER DATABASE ${name} SET ${setting}`)
    onTestFinished(() =>
      admin.script(`SET default_transaction_read_only = off; ALTER DATABASE ${name} RESET ALL`),
    )
    await expect(checkServer(connect(name), 22)).rejects.toThrow(words)
  })

  it.each(['LATIN1', 'SQL_ASCII', 'EUC_JP'])('is refused for a database of encoding %s', async (encoding) => {
    const other = `${name}_${encoding.toLowerCase()}`
    await admin.run(
      testStatement('', `CREATE DATABASE ${other} ENCODING '${encoding}' TEMPLATE template0`),
      [],
    )
    await expect(checkServer(connect(other), 22)).rejects.toThrow(
      new RegExp(`^the database's encoding is ${encoding}[^\\n]*ENCODING 'UTF8' TEMPLATE template0[^\\n]*$`),
    )
  })

  it('that gives a role fewer connections than a process uses is warned of', async () => {
    const role = `few_${name}`
    await admin.script(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT 5`)
    expect(await checkServer(connect(name, role), 22)).toContainEqual(
      expect.stringContaining(`gives ${role} 5 connections, and this process uses up to 22`),
    )
  })

  it('whose tables are in a schema that search_path lacks is refused', async () => {
    const moved = await createTestDatabase()
    const where = await nameOf(moved)
    await moved.script('CREATE SCHEMA elsewhere; CREATE TABLE elsewhere.payment_source_tokens (id text)')
    await moved.close()
    await expect(checkServer(connect(where), 22)).rejects.toThrow(/SET search_path = elsewhere$/)
  })

  it('whose tables are hidden by a later schema of the role is refused, before a step is run', async () => {
    const hidden = await createTestDatabase()
    const where = await nameOf(hidden)
    await hidden.script('CREATE TABLE public.payment_source_tokens (id text); CREATE SCHEMA svc')
    await hidden.close()
    await expect(checkServer(connect(where), 22)).rejects.toThrow(/SET search_path = public$/)
  })
})

describe('tables', () => {
  it('of which the role sees only some rows are refused', async () => {
    const database = await createMigratedDatabase()
    const [name, role] = [await nameOf(database), `sees_${await nameOf(database)}`]
    await database.script(`
      CREATE ROLE ${role} LOGIN; GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO ${role};
      GRANT USAGE ON SCHEMA sandbox_gateway, sandbox_network TO ${role};
      GRANT ALL ON ALL TABLES IN SCHEMA sandbox_gateway, sandbox_network TO ${role}`)
    await checkTables(connect(name, role), migrations)
    await database.script(`REVOKE UPDATE ON events FROM ${role}`)
    await checkTables(connect(name, role), migrations)
    await database.script('ALTER TABLE charges ENABLE ROW LEVEL SECURITY')
    await expect(checkTables(connect(name, role), migrations)).rejects.toThrow(
      /table charges: ALTER TABLE charges DISABLE ROW LEVEL SECURITY/,
    )
    await database.close()
  })

  it('that the role may not write are refused', async () => {
    const database = await createMigratedDatabase()
    const [name, role] = [await nameOf(database), `reads_${await nameOf(database)}`]
    await database.script(`CREATE ROLE ${role} LOGIN`)
    await expect(checkTables(connect(name, role), migrations)).rejects.toThrow(
      new RegExp(`role ${role} may not read and write all of the table \\w+: make ${role} its owner`),
    )
    await database.close()
  })
})
