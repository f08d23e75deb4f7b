import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseFault, isLockTimeout } from './faults.ts'
import type { Database, Transaction } from './database.ts'
import { arrayOf, bool, integer, text, timestamptz } from './sql-types.ts'
import { statement } from './statement.ts'

/** One step of the schema: `version` names it for ever, `sql` (any number of statements) is run once. */
export interface Migration {
  version: string
  sql: string
}

/**
 * Brings the schema up to date, step by step, in order. Several processes may do so at once: each step is run by one of them,
 * and the others wait for it. Tables are read and written meanwhile. Throws a `DatabaseFault`, before anything is changed, on a
 * schema that this version can't work with. `onStep` is called after each step that this call has run, and every half a second
 * while a step waits for somebody else's lock.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  onStep: (version: string, event: 'done' | 'waits') => void = () => undefined,
): Promise<void> {
  await refuseOtherSchema(database, migrations)
  // Of two processes that do this at once one may fail, and then finds the table there.
  await database.script(createTable).catch(() => database.script(createTable))
  const applied = new Set((await database.run(listApplied, {})).map(({ version }) => version))
  const isNew = applied.size === 0
  for (const migration of migrations) {
    const { version } = migration
    if (applied.has(version)) continue
    const isDoneHere = await untilUnlocked(
      () => runStep(database, migration, isNew),
      () => onStep(version, 'waits'),
    )
    if (isDoneHere) onStep(version, 'done')
  }
}

/** A step of the schema in a database. `unknown`: this version lacks it, so it comes from a newer one. */
export interface SchemaStep {
  version: string
  state: 'applied' | 'pending' | 'unknown'
  /** Null for a pending one. */
  appliedAt: Date | null
}

/** Lists this version's steps in their order, then unknown ones. Changes nothing. */
export async function schemaSteps(
  database: Database,
  migrations: readonly Migration[],
): Promise<SchemaStep[]> {
  const times = new Map(
    (await appliedTimes(database)).map(({ version, applied_at }) => [version, applied_at]),
  )
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

/** Throws a `DatabaseFault`, which says what to do, on any schema but this version's. Changes nothing. */
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
 * Throws a `DatabaseFault` on a schema that `migrate` can't bring up to date: one with steps that this version lacks or has with
 * other statements, or one from before this version's first step. Changes nothing.
 */
export async function refuseOtherSchema(database: Database, migrations: readonly Migration[]): Promise<void> {
  const versions = (await appliedTimes(database)).map(({ version }) => version)
  const [first] = migrations
  if (versions.length === 0 || first === undefined) return
  if (!versions.includes(first.version))
    throw new DatabaseFault(
      "the database is from before version 1.2.0, which can't use it: start on an empty one (another SVC_DATABASE_URL, or without it another SVC_DATA_DIR)",
    )
  const known = new Map(migrations.map((migration) => [migration.version, checksumOf(migration)]))
  const unknown = versions.filter((version) => !known.has(version))
  if (unknown.length > 0)
    throw new DatabaseFault(
      `the database's schema is newer than this version of the service (${unknown.sort().join(', ')}): start the version that it was last used with, or a newer one`,
    )
  const applied = await database.run(listApplied, {})
  const changed = applied.find(({ version, checksum }) => checksum !== known.get(version))
  if (changed !== undefined)
    throw new DatabaseFault(
      `the step ${changed.version} of the database's schema was run with other statements than this version has: start an unchanged build of the service`,
    )
}

const createTable =
  'CREATE TABLE IF NOT EXISTS schema_migrations (version text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now(), checksum text NOT NULL)'
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
const listApplied = statement({
  name: 'applied_migrations',
  values: {},
  columns: { version: text, checksum: text },
  sql: 'SELECT version, checksum FROM schema_migrations',
})
const takeTurn = statement({
  name: 'take_migration_turn',
  values: { version: text, checksum: text },
  columns: { version: text },
  sql: `
    INSERT INTO schema_migrations (version, checksum) VALUES (:version, :checksum)
    ON CONFLICT DO NOTHING RETURNING version`,
})

/** Which steps were run, and when; none in a database without their table. */
async function appliedTimes(database: Database): Promise<{ version: string; applied_at: Date }[]> {
  const hasTable = (await database.run(findTable, {})).length > 0
  return hasTable ? database.run(listTimes, {}) : []
}

/** Leaves out white space and comments, so that the same statements in another layout are the same step. */
function checksumOf({ sql }: Migration): string {
  const statements = sql
    .replace(/^--.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
  return createHash('sha256').update(statements).digest('hex')
}

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
 * Runs one step; false where another process has done it. To insert the step's row is to have the turn: the second process waits
 * for the transaction of the first, which needs no lock that some engines lack. In a new database nobody writes yet, so indexes
 * are made within the transaction, which is quicker.
 */
async function runStep(database: Database, migration: Migration, isNew: boolean): Promise<boolean> {
  const { version, sql } = migration
  const changes = isNew ? null : indexChangesOf(sql)
  return database.transaction(async (queries) => {
    await queries.script(TURN_TIMEOUTS)
    const turn = await queries.run(takeTurn, { version, checksum: checksumOf(migration) })
    if (turn.length === 0) return false
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

/** An index that a step makes or drops. `definition`: the SQL after its name, or null where it is dropped. */
interface IndexChange {
  name: string
  definition: string | null
  isUnique: boolean
}

const CREATE = /^CREATE (UNIQUE )?INDEX IF NOT EXISTS (\w+) (ON [^;]+)$/
const DROP = /^DROP INDEX (\w+)$/

/** The indexes that a step makes and drops; null for a step that does anything else. */
export function indexChangesOf(sql: string): IndexChange[] | null {
  const statements = sql
    .split(';')
    .map((one) => one.replace(/\s+/g, ' ').trim())
    .filter((one) => one !== '')
  const changes = statements.flatMap((one): IndexChange[] => {
    const [, unique = '', made, definition] = CREATE.exec(one) ?? []
    const [, dropped] = DROP.exec(one) ?? []
    if (made !== undefined && definition !== undefined)
      return [{ name: made, definition, isUnique: unique !== '' }]
    return dropped === undefined ? [] : [{ name: dropped, definition: null, isUnique: false }]
  })
  return changes.length === statements.length ? changes : null
}

/** Which of these indexes exist, and whether each is valid: one whose creation was interrupted is not. */
const findIndexes = statement({
  name: 'find_indexes',
  values: { names: arrayOf(text) },
  columns: { name: text, is_valid: bool },
  sql: `
    SELECT wanted.name, i.indisvalid AS is_valid
    FROM unnest(:names::text[]) AS wanted (name) JOIN pg_index i ON i.indexrelid = to_regclass(wanted.name)`,
})

/** After a statement by the simple protocol a transaction has no snapshot. Making an index waits for every older snapshot. */
const WITHOUT_SNAPSHOT = 'SELECT 1'

/**
 * Makes and drops indexes while their tables are read and written, which PostgreSQL allows only outside of a transaction. An index
 * that exists is left as it is; one whose creation was interrupted is made again. `turn`: the open transaction that keeps other
 * processes waiting.
 */
async function changeIndexes(
  turn: Transaction,
  outsideTransaction: Database['outsideTransaction'],
  changes: readonly IndexChange[],
): Promise<void> {
  const rows = await turn.run(findIndexes, { names: changes.map(({ name }) => name) })
  await turn.script(WITHOUT_SNAPSHOT)
  const known = new Map(rows.map(({ name, is_valid }) => [name, is_valid]))
  for (const { name, definition, isUnique } of changes) {
    const isThere = definition !== null && known.get(name) === true
    if (isThere) continue
    if (known.has(name)) await outsideTransaction(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
    if (definition !== null)
      await outsideTransaction(`CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ${definition}`)
  }
}
