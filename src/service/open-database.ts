import type { Logger } from 'pino'
import { ConfigError, ServiceError } from './platform/errors.ts'
import { checkServer, checkTables } from './platform/database/check-server.ts'
import { placeOf } from './platform/database/connection-url.ts'
import { DatabaseFault } from './platform/database/database-fault.ts'
import { cureOf } from './platform/database/cures.ts'
import { createDatabase } from './platform/database/database.ts'
import type { Database } from './platform/database/database.ts'
import type { EmbeddedPostgres } from './platform/database/embedded/embedded-postgres.ts'
import { migrate, requireSchema } from './platform/database/migrate.ts'
import { migrations } from './platform/database/migrations.ts'

const CONNECTIONS = 20
/** Beside them those of grouped statements. */
const ALL_CONNECTIONS = CONNECTIONS + 2

/** A PostgreSQL that the service starts itself, with its data in a folder of the service. */
export interface OwnDatabase {
  /** Takes the folder for this process, at once or not at all: throws a foreseen fault. Returns what gives it back. */
  takeFolder: (dataDir: string) => () => void
  /** Starts it; `onTrouble` hears, in words, of what happens later. */
  start: (dataDir: string, onTrouble: (words: string) => void) => Promise<EmbeddedPostgres>
}

/** The URL of the operator's server, or what starts a PostgreSQL of the service's own. */
export type DatabaseSource = string | ((onTrouble: (words: string) => void) => Promise<EmbeddedPostgres>)

/**
 * The operator's server, or one of the service's own; either way with an up-to-date schema, which is refused as it is where
 * `migrates` is false and it is another. What must be closed again is told to `onOpen` as soon as it is open. `place` says where the data is, without secrets.
 */
export async function openDatabase(
  source: DatabaseSource,
  onOpen: (release: () => Promise<void>) => void,
  log: Logger,
  migrates = true,
): Promise<{ database: Database; place: string }> {
  const { connectionString, place } = await locateDatabase(source, onOpen, log)
  const database = createDatabase({
    connectionString,
    connections: CONNECTIONS,
    onIdleError: (error) => log.warn({ err: error }, 'a database connection was lost'),
    onExposed: (words) => log.warn(words),
  })
  onOpen(database.close)
  try {
    for (const words of await checkServer(database, ALL_CONNECTIONS)) log.warn(words)
    await (migrates ? migrate : requireSchema)(database, migrations)
    await checkTables(database, migrations)
  } catch (error) {
    throw databaseUrlFault(typeof source === 'string' ? source : undefined, error)
  }
  return { database, place }
}

/**
 * Why the database can't be used, as one line: where the operator's is, without secrets, what went wrong, and what cures it. Of the
 * embedded one (`databaseUrl` is undefined) it is the error itself.
 */
export function databaseUrlFault(databaseUrl: string | undefined, error: unknown): unknown {
  const cause = error instanceof ServiceError ? error.cause : error
  if (cause instanceof DatabaseFault) return cause
  if (databaseUrl === undefined) return error
  const words = cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : String(cause)
  const cure = cureOf(cause)
  return new ConfigError(
    `SVC_DATABASE_URL (${placeOf(databaseUrl)}): ${words}${cure === null ? '' : `. ${cure}`}`,
  )
}

/** Where the database is; one of the service's own is started, and `onOpen` is told what stops it. */
export async function locateDatabase(
  source: DatabaseSource,
  onOpen: (release: () => Promise<void>) => void,
  log: Logger,
): Promise<{ connectionString: string; place: string }> {
  if (typeof source === 'string') return { connectionString: source, place: placeOf(source) }
  const server = await source((words) => log.error(words))
  onOpen(server.stop)
  return { connectionString: server.connectionString, place: server.cluster }
}
