import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseFault, isLockTimeout } from './faults.ts'
import type { Database } from './database.ts'
import { changeIndexes, indexChangesOf } from './index-steps.ts'
import { integer, nullable, text, timestamptz } from './sql-types.ts'
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

const findTable = statement({
  name: 'find_migration_table',
  values: {},
  columns: { found: integer },
  sql: `
    SELECT 1 AS found FROM pg_class t JOIN pg_namespace s ON s.oid = t.relnamespace
    WHERE s.nspname = current_schema() AND t.relname = 'schema_migrations'`,
})
const listTimes = statement({
  name: 'migration_times',
  values: {},
  columns: { version: text, applied_at: timestamptz },
  sql: 'SELECT version, applied_at FROM schema_migrations',
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
 * has otherwise. `tell`: called of each step that this call has run, and of one that waits for somebody else's lock, every half a second.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  tell: (version: string, event: 'done' | 'waits') => void = () => undefined,
): Promise<void> {
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
    if (checksum !== undefined) continue
    const isOwn = await untilUnlocked(
      () => takeStep(database, migration, isNew),
      () => tell(version, 'waits'),
    )
    if (isOwn) tell(version, 'done')
  }
}

/** A step of the schema as a database has it: `unknown` is one that this version does not have, so it comes from a newer one. */
export interface SchemaStep {
  version: string
  state: 'applied' | 'pending' | 'unknown'
  /** Null of a pending one. */
  appliedAt: Date | null
}

/** Every step, those of this version in their order, then unknown ones. Changes nothing. */
export async function schemaSteps(
  database: Database,
  migrations: readonly Migration[],
): Promise<SchemaStep[]> {
  const hasTable = (await database.run(findTable, {})).length > 0
  const rows = hasTable ? await database.run(listTimes, {}) : []
  const times = new Map(rows.map(({ version, applied_at }) => [version, applied_at]))
  const own = migrations.map(({ version }): SchemaStep => {
    const appliedAt = times.get(version) ?? null
    times.delete(version)
    return { version, state: appliedAt === null ? 'pending' : 'applied', appliedAt }
  })
  const unknown = [...times].map(([version, appliedAt]): SchemaStep => ({
    version,
    state: 'unknown',
    appliedAt,
  }))
  return [...own, ...unknown.sort((one, other) => (one.version < other.version ? -1 : 1))]
}

/** Throws a `DatabaseFault` on a schema that `migrate` would refuse. Changes nothing. */
export async function refuseOtherSchema(database: Database, migrations: readonly Migration[]): Promise<void> {
  await refuseNewerSchema(database, migrations)
  const [found] = await database.run(findChecksumColumn, {})
  if (found !== undefined) refuseChanged(await database.run(listApplied, {}), migrations)
}

/** Throws a `DatabaseFault`, which says what to do, on any schema but the one of this version. Changes nothing. */
export async function requireSchema(database: Database, migrations: readonly Migration[]): Promise<void> {
  await refuseOtherSchema(database, migrations)
  const pending = (await schemaSteps(database, migrations)).filter(({ state }) => state === 'pending')
  const [first] = pending
  if (first === undefined) return
  throw new DatabaseFault(
    `the database's schema is older than this version of the service (it lacks ${first.version}${pending.length === 1 ? '' : ` and ${pending.length - 1} more`}): run svc migrate first`,
  )
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
 * One step, unless another process has done it; true where it was done here. Indexes are made outside of the transaction that keeps other processes waiting for
 * their turn. That transaction has no snapshot, as making an index waits for every older snapshot to end. In a new database
 * (`isNew`) nobody writes yet, so indexes are made within it, which is quicker.
 */
async function takeStep(database: Database, migration: Migration, isNew: boolean): Promise<boolean> {
  const { version, sql } = migration
  const changes = isNew ? null : indexChangesOf(sql)
  return database.transaction(async (queries) => {
    await queries.script(TURN_TIMEOUTS)
    const mine = await queries.run(takeTurn, { version, checksum: checksumOf(migration) })
    if (mine.length === 0) return false
    await queries.script(LOCK_TIMEOUT)
    if (changes === null) await queries.script(sql)
    else await changeIndexes(queries, database.outsideTransaction, changes)
    return true
  })
}

/** Repeats the work while it fails for want of a lock, for `MAX_WAIT_MS` at most. */
async function untilUnlocked(work: () => Promise<boolean>, onWait: () => void): Promise<boolean> {
  const end = performance.now() + MAX_WAIT_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() > end) throw error
      onWait()
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
