import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from './platform/database/database.ts'
import { createMigratedDatabase } from './testing/test-database.ts'
import { testStatement } from './testing/test-statement.ts'
import { KEY_TABLES } from './key-tables.ts'

let database: Database
beforeAll(async () => {
  database = await createMigratedDatabase()
})
afterAll(() => database.close())

const withKeys = testStatement<{ name: string }>(
  't_tables_with_keys',
  "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'wrapped_data_key'",
)

it('has every table that keeps a data key, so that a rotation forgets none', async () => {
  const known = new Set(KEY_TABLES.map(({ table }) => table))
  const found = (await database.run(withKeys, [])).map(({ name }) => name)
  expect(found.filter((name) => !known.has(name))).toEqual([])
  expect(found.length).toBeGreaterThan(8)
})
