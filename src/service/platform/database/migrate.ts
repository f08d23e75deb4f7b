import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseFault } from './database-fault.ts'
import { isLockTimeout } from './sql-state.ts'
import type { Database } from './database.ts'
import { changeIndexes, indexChangesOf } from './index-steps.ts'
import { integer, nullable, text } from './sql-types.ts'
import type { ValuesOf } from './sql-types.ts'
import { statement } from './statement.ts'

/** One step of the schema: `version` names it for ever, `sql` (any number of statements) is run once. */
export interface Migration {
  version: string
  sql: string
}

/** `checksum`: null of a step that a version before 1.2 has run. */
const appliedColumns = { version: text, checksum: nullable(text) }
type Applied = ValuesOf<typeof appliedColumns>

const takeTurn = statement({
  name: 'take_migration_turn',
  values: { version: text, checksum: text },
  columns: { version: text },
  sql: `
    INSERT INTO schema_migrations (version, checksum) VALUES (:version, :checksum)
    ON CONFLICT DO NOTHING RETURNING version`,
})
const listApplied = statement({
  name: 'applied_migrations',
  values: {},
  columns: appliedColumns,
  sql: 'SELECT version, checksum FROM schema_migrations',
})
const fillChecksum = statement({
  name: 'fill_migration_checksum',
  values: { version: text, checksum: text },
  columns: {},
  sql: 'UPDATE schema_migrations SET checksum = :checksum WHERE version = :version AND checksum IS NULL',
})
const findChecksumColumn = statement({
  name: 'find_migration_checksum',
  values: {},
  columns: { found: integer },
  sql: `
    SELECT 1 AS found FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = 'schema_migrations' AND column_name = 'checksum'`,
})

const createTable =
  'CREATE TABLE IF NOT EXISTS schema_migrations (version text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now(), checksum text)'
const addChecksum = 'ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS checksum text'

/**
 * How long a process waits for its turn at a time: while it waits, it holds up an index that another process makes. The
 * transaction that has the turn is idle while an index is made, so the server must not end it as idle.
 */
const TURN_TIMEOUTS = "SET LOCAL lock_timeout = '100ms'; SET LOCAL idle_in_transaction_session_timeout = 0"
/** How long a step waits for a lock. Statements that came later queue behind it, so it then gives way and tries again. */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '1s'"
const PAUSE_MS = 500
/** A step, or its turn, is tried again for as long as this. */
const MAX_WAIT_MS = 3_600_000

/**
 * Brings the schema up to date, in order. Many processes may do so at once: the second to insert a version
 * waits for the first one's transaction and then skips it, without a lock that not every engine knows.
 * While indexes are made, and while a step waits for somebody else's lock, tables are written as ever.
 * Throws a `DatabaseFault`, before anything is changed, on a schema that has steps which this version does not know or
 * has otherwise.
 */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<void> {
  await makeTable(database)
  const applied = await database.run(listApplied, {})
  refuseUnknown(applied, migrations)
  refuseChanged(applied, migrations)
  const known = new Map(applied.map(({ version, checksum }) => [version, checksum]))
  const isNew = applied.length === 0
  for (const migration of migrations) {
    const { version } = migration
    const checksum = known.get(version)
    if (checksum === null) await database.run(fillChecksum, { version, checksum: checksumOf(migration) })
    if (checksum === undefined) await untilUnlocked(() => takeStep(database, migration, isNew))
  }
}

/**
 * Throws a `DatabaseFault` on a schema that has steps which this version does not know. One without any step, or with older ones, is not
 * refused.
 */
export async function refuseNewerSchema(database: Database, migrations: readonly Migration[]): Promise<void> {
  const [found] = await database.run(findChecksumColumn, {})
  if (found !== undefined) refuseUnknown(await database.run(listApplied, {}), migrations)
}

/**
 * One step, unless another process has done it. Indexes are made outside of the transaction that keeps other processes waiting for
 * their turn. That transaction has no snapshot, as making an index waits for every older snapshot to end. In a new database
 * (`isNew`) nobody writes yet, so indexes are made within it, which is quicker.
 */
async function takeStep(database: Database, migration: Migration, isNew: boolean): Promise<void> {
  const { version, sql } = migration
  const changes = isNew ? null : indexChangesOf(sql)
  await database.transaction(async (queries) => {
    await queries.script(TURN_TIMEOUTS)
    const mine = await queries.run(takeTurn, { version, checksum: checksumOf(migration) })
    if (mine.length === 0) return
    await queries.script(LOCK_TIMEOUT)
    if (changes === null) await queries.script(sql)
    else await changeIndexes(queries, database.outsideTransaction, changes)
  })
}

/** Repeats the work while it fails for want of a lock, for `MAX_WAIT_MS` at most. */
async function untilUnlocked(work: () => Promise<void>): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS
  for (;;) {
    try {
      await work()
      return
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() > end) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** Two processes that do this at once can both find a part missing; the loser then finds it there. */
async function makeTable(database: Database): Promise<void> {
  await database.script(createTable).catch(() => database.script(createTable))
  const found = await database.run(findChecksumColumn, {})
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
