import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'

/** The statements of docs/operating.md, "Upgrading", by which indexes are made before an upgrade, each in one line. */
const documented = (
  /## Upgrading[^]*?```sql\n([^]*?)```/.exec(readFileSync('docs/operating.md', 'utf8'))?.[1] ?? ''
)
  .split(';')
  .map(inOneLine)
  .filter((statement) => statement !== '')

/** Steps that make and drop indexes, and do nothing else. */
const indexSteps = migrations.filter(({ sql }) =>
  /^(?:(?:CREATE INDEX IF NOT EXISTS|DROP INDEX) [^;]+(?:; |$))+$/.test(inOneLine(sql)),
)
const indexStatements = indexSteps.flatMap(({ sql }) => inOneLine(sql).split('; '))

/** The statement that makes each index which no later step drops. */
const lasting = indexStatements.filter((statement) => {
  const [, name = ''] = /^CREATE INDEX IF NOT EXISTS (\w+)/.exec(statement) ?? []
  return name !== '' && !indexStatements.includes(`DROP INDEX ${name}`)
})

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/;$/, '').trim()
}

let database: Database
beforeAll(async () => (database = await createTestDatabase()))
afterAll(() => database.close())

/** Every index with the file that it is in: another one once it was made anew. */
const indexes = testStatement<{ name: string; file: number; is_valid: boolean }>(
  't_indexes',
  `SELECT c.relname AS name, c.relfilenode::bigint AS file, i.indisvalid AS is_valid
   FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relname = ANY ($1) ORDER BY 1`,
)

it('the page on upgrading has the statement of each index that such a step makes', () => {
  const wanted = lasting.map((statement) => statement.replace('CREATE INDEX', 'CREATE INDEX CONCURRENTLY'))
  expect(wanted.length).toBeGreaterThan(10)
  expect(documented.toSorted()).toEqual(wanted.toSorted())
})

it('they run before those steps, which then leave the indexes as they are', async () => {
  const first = migrations.findIndex((step) => indexSteps.includes(step))
  await migrate(database, migrations.slice(0, first))
  for (const statement of documented) await database.script(statement)
  const names = documented.map((statement) => / EXISTS (\w+) /.exec(statement)?.[1] ?? '')
  const before = await database.run(indexes, [names])
  expect(before.map(({ is_valid }) => is_valid)).toEqual(names.map(() => true))
  await migrate(database, migrations)
  expect(await database.run(indexes, [names])).toEqual(before)
})
