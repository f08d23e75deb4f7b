import type { Logger } from 'pino'
import { ConfigError } from './config.ts'
import type { Config } from './config.ts'
import { DatabaseFault } from './platform/database/database-fault.ts'
import { createDatabase } from './platform/database/database.ts'
import type { Database } from './platform/database/database.ts'
import { startEmbeddedPostgres } from './platform/database/embedded/embedded-postgres.ts'
import { migrate } from './platform/database/migrate.ts'
import { migrations } from './platform/database/migrations.ts'
import { ServiceError } from './platform/errors.ts'

const CONNECTIONS = 20

const EMBEDDED_IN_PRODUCTION =
  'the embedded PostgreSQL is for trials: no second process can use it, nothing replicates it, and its programs, a beta build, come without security updates of your system; set SVC_DATABASE_URL to a server of yours'

/** PgBouncer refuses what a connection asks for unless it is told to ignore it: docs/scaling.md. */
const POOLER_LACKS = '. A PgBouncer needs ignore_startup_parameters = statement_timeout'

/**
 * The operator's server, or an embedded one in the data folder; either way with an up-to-date schema. What must
 * be closed again is told to `onOpen` as soon as it is open. `place` says where the data is, without secrets.
 */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'environment'>,
  onOpen: (release: () => Promise<void>) => void,
  log: Logger,
): Promise<{ database: Database; place: string }> {
  const { connectionString, place } = await locateDatabase(config, onOpen, log)
  const database = createDatabase({
    connectionString,
    connections: CONNECTIONS,
    onIdleError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  })
  onOpen(database.close)
  await migrate(database, migrations).catch((error: unknown) => {
    if (config.databaseUrl === undefined || error instanceof DatabaseFault) throw error
    const cause = error instanceof ServiceError ? error.cause : error
    throw databaseUrlFault(config.databaseUrl, cause)
  })
  return { database, place }
}

/** Why the operator's server can't be used: where it is, without secrets, and what went wrong. */
export function databaseUrlFault(databaseUrl: string, cause: unknown): ConfigError {
  const words = cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : String(cause)
  const cure = words.startsWith('unsupported startup parameter') ? POOLER_LACKS : ''
  return new ConfigError(`SVC_DATABASE_URL (${placeOf(databaseUrl)}): ${words}${cure}`)
}

function placeOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
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
