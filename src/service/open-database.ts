import type { Logger } from 'pino'
import { ConfigError } from './config.ts'
import type { Config } from './config.ts'
import { checkServer, checkTables } from './platform/database/check-server.ts'
import { placeOf } from './platform/database/connection-url.ts'
import { DatabaseFault } from './platform/database/database-fault.ts'
import { cureOf } from './platform/database/cures.ts'
import { createDatabase } from './platform/database/database.ts'
import type { Database } from './platform/database/database.ts'
import { startEmbeddedPostgres } from './platform/database/embedded/embedded-postgres.ts'
import { migrate, requireSchema } from './platform/database/migrate.ts'
import { migrations } from './platform/database/migrations.ts'
import { ServiceError } from './platform/errors.ts'

const CONNECTIONS = 20
/** Beside them those of grouped statements. */
const ALL_CONNECTIONS = CONNECTIONS + 2

const EMBEDDED_IN_PRODUCTION =
  'the embedded PostgreSQL is for trials: no second process can use it, nothing replicates it, and its programs, a beta build, come without security updates of your system; set SVC_DATABASE_URL to a server of yours'

/**
 * The operator's server, or an embedded one in the data folder; either way with an up-to-date schema, which is refused as it is where
 * `migrates` is false and it is another. What must be closed again is told to `onOpen` as soon as it is open. `place` says where the data is, without secrets.
 */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'environment'>,
  onOpen: (release: () => Promise<void>) => void,
  log: Logger,
  migrates = true,
): Promise<{ database: Database; place: string }> {
  const { connectionString, place } = await locateDatabase(config, onOpen, log)
  const database = createDatabase({
    connectionString,
    connections: CONNECTIONS,
    onIdleError: (error) => log.warn({ err: error }, 'a database connection was lost'),
    onPlain: (words) => log.warn(words),
  })
  onOpen(database.close)
  try {
    for (const words of await checkServer(database, ALL_CONNECTIONS)) log.warn(words)
    await (migrates ? migrate : requireSchema)(database, migrations)
    await checkTables(database, migrations)
  } catch (error) {
    throw databaseUrlFault(config.databaseUrl, error)
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

/** Where the database is; an embedded one is started, and `onOpen` is told what stops it. */
export async function locateDatabase(
  { databaseUrl, dataDir, environment }: Pick<Config, 'databaseUrl' | 'dataDir' | 'environment'>,
  onOpen: (release: () => Promise<void>) => void,
  log: Logger,
): Promise<{ connectionString: string; place: string }> {
  if (databaseUrl !== undefined) {
    return { connectionString: databaseUrl, place: placeOf(databaseUrl) }
  }
  if (environment === 'production_svc') log.warn(EMBEDDED_IN_PRODUCTION)
  const server = await startEmbeddedPostgres(dataDir, (words) => log.error(words))
  onOpen(server.stop)
  return { connectionString: server.connectionString, place: server.cluster }
}
