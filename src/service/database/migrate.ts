import { statement } from './database.ts'
import type { Database } from './database.ts'

/** One step of the schema: `version` names it for ever, `sql` is run once. */
export interface Migration {
  version: string
  sql: string
}

const takeTurn = statement<{ version: string }>(
  'take_migration_turn',
  'INSERT INTO schema_migrations (version) VALUES ($1) ON CONFLICT DO NOTHING RETURNING version',
)

// Two processes that create it at once can both find it missing; the loser then finds it there.
const createTable =
  'CREATE TABLE IF NOT EXISTS schema_migrations (version text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())'

/**
 * Brings the schema up to date, in order. Many processes may do so at once: the second to insert a version
 * waits for the first one's transaction and then skips it, without a lock that not every engine knows.
 */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<void> {
  await database.script(createTable).catch(() => database.script(createTable))
  for (const { version, sql } of migrations) {
    await database.transaction(async (queries) => {
      const mine = await queries.run(takeTurn, [version])
      if (mine.length > 0) await runEach(sql, (text) => queries.run({ name: '', text }, []))
    })
  }
}

async function runEach(sql: string, run: (text: string) => Promise<unknown>): Promise<void> {
  for (const text of sql.split(/;\s*$/m)) if (text.trim() !== '') await run(text)
}
