import { afterAll, beforeAll, expect, it } from 'vitest'
import { KEY_TABLES } from './key-tables.ts'
import type { Database } from './platform/database/database.ts'
import { createMigratedDatabase } from './testing/test-database.ts'
import { testStatement } from './testing/test-statement.ts'

let database: Database
beforeAll(async () => {
  database = await createMigratedDatabase()
})
afterAll(() => database.close())

const tablesWithKeys = testStatement<{ name: string }>(
  't_tables_with_keys',
  `SELECT table_name AS name FROM information_schema.columns
   WHERE table_schema = 'public' AND column_name LIKE '%wrapped_data_key' ORDER BY table_name`,
)

it('rotation knows every table that keeps data keys', async () => {
  const tables = await database.run(tablesWithKeys, [])
  expect(tables.length).toBeGreaterThan(5)
  const known = new Set(KEY_TABLES.map(({ table }) => table))
  expect(tables.filter(({ name }) => !known.has(name))).toEqual([])
})
