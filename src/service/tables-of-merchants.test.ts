import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from './platform/database/database.ts'
import { createMigratedDatabase } from './testing/test-database.ts'
import { testStatement } from './testing/test-statement.ts'

let database: Database
beforeAll(async () => {
  database = await createMigratedDatabase()
})
afterAll(() => database.close())

const tablesOf = testStatement<{ table: string; has_merchant: boolean }>(
  't_tables',
  `SELECT tables.table_name AS table, EXISTS (
     SELECT FROM information_schema.columns
     WHERE columns.table_schema = 'public' AND columns.table_name = tables.table_name AND column_name = 'merchant_id'
   ) AS has_merchant
   FROM information_schema.tables WHERE table_schema = 'public'`,
)

/** The names in the item of docs/scaling.md that begins with these words. */
function namesIn(text: string, beginning: string): string[] {
  const [item = ''] = text.slice(text.indexOf(beginning)).split('\n- ')
  return [...item.matchAll(/`([a-z_]+)`/g)].flatMap(([, name = '']) => (name === 'merchant_id' ? [] : [name]))
}

it('are told from the others in docs/scaling.md, each table once', async () => {
  const text = readFileSync('docs/scaling.md', 'utf8')
  const tables = await database.run(tablesOf, [])
  const namesOf = (hasMerchant: boolean) =>
    tables.filter((table) => table.has_merchant === hasMerchant).map(({ table }) => table)

  const own = namesIn(text, 'These tables carry `merchant_id`')
  expect(own.toSorted()).toEqual(namesOf(true).toSorted())
  const others = ['These are found', '`idempotent_requests` and', 'People are', 'Each cluster has'].flatMap(
    (beginning) => namesIn(text, beginning),
  )
  expect([...others, 'merchants'].toSorted()).toEqual(namesOf(false).toSorted())
})
