import pg from 'pg'
import { runningPostgres } from '../../src/service/platform/database/embedded/running-postgres.ts'
import { DATA_DIR } from './paths.ts'

/** Every row of every table as JSON, with bytes in hex. */
export async function everythingInTheDatabase(): Promise<string> {
  const client = new pg.Client({ connectionString: runningPostgres(DATA_DIR) ?? '' })
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  )
  let text = ''
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`)
    text += rows.map(({ row }) => row).join('\n')
  }
  await client.end()
  return text
}
