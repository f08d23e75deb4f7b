import type { Database } from '../platform/database/database.ts'
import { testStatement } from './test-statement.ts'

const tables = testStatement<{ name: string }>(
  'test_tables',
  `SELECT quote_ident(table_name) AS name FROM information_schema.tables
   WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name <> 'rate_windows' ORDER BY 1`,
)

/**
 * Every row of every table as text, for tests of what was stored, or that nothing was. The counts of rate limits are left out, as
 * refused requests count, too.
 */
export async function storedRows(database: Database): Promise<string[]> {
  const rows = await Promise.all(
    (await database.run(tables, [])).map(({ name }) =>
      database.run(
        testStatement<{ row: string }>(`test_rows_of_${name}`, `SELECT t::text AS row FROM ${name} t`),
        [],
      ),
    ),
  )
  return rows.flat().map(({ row }) => row)
}
