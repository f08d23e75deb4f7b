import { createHash } from 'node:crypto'
import { DatabaseFault } from './database-fault.ts'
import { statement } from './database.ts'
import type { Database } from './database.ts'

/** One step of the schema: `version` names it for ever, `sql` (any number of statements) is run once. */
export interface Migration {
  version: string
  sql: string
}

interface Applied {
  version: string
  /** Null of a step that a version before 1.2 has run. */
  checksum: string | null
}

const takeTurn = statement<{ version: string }>(
  'take_migration_turn',
  'INSERT INTO schema_migrations (version, checksum) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING version',
)
const listApplied = statement<Applied>(
  'applied_migrations',
  'SELECT version, checksum FROM schema_migrations',
)
const fillChecksum = statement(
  'fill_migration_checksum',
  'UPDATE schema_migrations SET checksum = $2 WHERE version = $1 AND checksum IS NULL',
)
const findChecksumColumn = statement(
  'find_migration_checksum',
  `SELECT 1 AS found FROM information_schema.columns
   WHERE table_schema = current_schema() AND table_name = 'schema_migrations' AND column_name = 'checksum'`,
)

const createTable =
  'CREATE TABLE IF NOT EXISTS schema_migrations (version text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now(), checksum text)'
const addChecksum = 'ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS checksum text'

/**
 * Brings the schema up to date, in order. Many processes may do so at once: the second to insert a version
 * waits for the first one's transaction and then skips it, without a lock that not every engine knows.
 * Throws a `DatabaseFault`, before anything is changed, on a schema that has steps which this version does not know or
 * has otherwise.
 */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<void> {
  await makeTable(database)
  const applied = await database.run(listApplied, [])
  refuseUnknown(applied, migrations)
  refuseChanged(applied, migrations)
  const lacking = new Set(applied.filter(({ checksum }) => checksum === null).map(({ version }) => version))
  for (const migration of migrations) {
    const { version, sql } = migration
    if (lacking.has(version)) await database.run(fillChecksum, [version, checksumOf(migration)])
    await database.transaction(async (queries) => {
      const mine = await queries.run(takeTurn, [version, checksumOf(migration)])
      if (mine.length > 0) await queries.script(sql)
    })
  }
}

/** Two processes that do this at once can both find a part missing; the loser then finds it there. */
async function makeTable(database: Database): Promise<void> {
  await database.script(createTable).catch(() => database.script(createTable))
  const found = await database.run(findChecksumColumn, [])
  if (found.length === 0) await database.script(addChecksum).catch(() => database.script(addChecksum))
}

function refuseUnknown(applied: readonly Applied[], migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ version }) => version))
  const unknown = applied.filter(({ version }) => !known.has(version)).map(({ version }) => version)
  if (unknown.length === 0) return
  throw new DatabaseFault(
    `the database's schema is newer than this version of the service (${unknown.sort().join(', ')}): start the version that it was last used with, or a newer one`,
  )
}

function refuseChanged(applied: readonly Applied[], migrations: readonly Migration[]): void {
  const checksums = new Map(migrations.map((migration) => [migration.version, checksumOf(migration)]))
  const changed = applied.find(
    ({ version, checksum }) => checksum !== null && checksum !== checksums.get(version),
  )
  if (changed === undefined) return
  throw new DatabaseFault(
    `the step ${changed.version} of the database's schema was run with other statements than this version has: start an unchanged build of the service`,
  )
}

/** White space counts for nothing, so that another layout of the same statements is the same step. */
function checksumOf({ sql }: Migration): string {
  return createHash('sha256').update(sql.replace(/\s+/g, ' ').trim()).digest('hex')
}
