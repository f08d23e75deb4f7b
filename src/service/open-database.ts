import type { Logger } from 'pino'
import { checkServer, checkTables } from './platform/database/check-server.ts'
import { placeOf } from './platform/database/connection-url.ts'
import { createDatabase } from './platform/database/database.ts'
import type { Database } from './platform/database/database.ts'
import type { EmbeddedPostgres } from './platform/database/embedded/embedded-postgres.ts'
import { DatabaseFault } from './platform/database/faults.ts'
import { migrate, requireSchema } from './platform/database/migrate.ts'
import { migrations } from './platform/database/migrations.ts'
import { ConfigError, ServiceError } from './platform/errors.ts'

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
 * `migrates` is false and it is another. `onOpen` gets what must be closed again, as soon as it is open. `place` says where the data is, without secrets.
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

/** Where the database is; one of the service's own is started, and `onOpen` gets what stops it. */
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

/** What cures a database that can't be used, by an error's code (SQLSTATE, system or TLS) or by its message. */
const CURES: readonly [RegExp, string][] = [
  [
    /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE)/,
    'Give the certificate of the authority that signed it (sslrootcert=/path/to/ca.pem), or encrypt without checking who answers (sslmode=require)',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID/,
    "Name the server as its certificate does, or don't compare the name (sslmode=verify-ca with sslrootcert)",
  ],
  [/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)/, "Renew the server's certificate, and look at this machine's clock"],
  [
    /server does not support SSL/,
    'Turn on ssl in postgresql.conf (client_tls_sslmode in PgBouncer), or connect without TLS (sslmode=disable)',
  ],
  [
    /no encryption|SSL off/,
    'The server takes connections with TLS alone from here: add sslmode=require or verify-full',
  ],
  [/no pg_hba\.conf entry/, "Let this machine, user and database in by the server's pg_hba.conf"],
  [
    /^28P01|^08P01.*auth|password authentication failed|SASL authentication failed/,
    'Look at the user and its password; special characters are given by their codes (% as %25, / as %2F, ? as %3F, @ as %40)',
  ],
  [/client password must be a/, 'Give a password: postgres://user:password@host/database'],
  [/^3D000|no such database/i, 'Make the database: CREATE DATABASE its_name OWNER its_user'],
  [
    /^42501/,
    'Make the role the owner of the database (ALTER DATABASE its_name OWNER TO its_role), or GRANT CREATE ON DATABASE its_name, and on its SCHEMA, TO its_role',
  ],
  [
    /^58P01/,
    "The role or the database names a library that the server lacks: ALTER ROLE its_role IN DATABASE its_name SET session_preload_libraries = '' (or local_preload_libraries)",
  ],
  [
    /^(?:57014|25P03|25P04|57P05)/,
    'The role or the database ends sessions too soon: ALTER ROLE its_role IN DATABASE its_name SET statement_timeout = 0 (or transaction_timeout, idle_session_timeout, idle_in_transaction_session_timeout)',
  ],
  [
    // The second and the third are PgBouncer's, of a server connection that has ended.
    /^Connection terminated unexpectedly|server connection closed|server conn crashed/,
    'Look at the log of the server for why it ended the connection; if by a limit of time: ALTER ROLE its_role IN DATABASE its_name SET idle_session_timeout = 0 (or transaction_timeout)',
  ],
  [
    /^25006/,
    'Name the primary, or all servers (host1:port,host2:port), of which the service takes the primary',
  ],
  [
    /^53300|too many clients|no more connections allowed/,
    'Raise max_connections, or the CONNECTION LIMIT of the role or the database',
  ],
  [
    /unsupported startup parameter/,
    "Leave that parameter out of the URL, or add it to the pooler's ignore_startup_parameters",
  ],
  [/^ECONNREFUSED/, 'Nothing listens there: start the server, or look at host and port'],
  [/^(?:ENOTFOUND|EAI_AGAIN)/, 'No such host is known: look at its name and at DNS'],
  [
    /^(?:ENOENT|EACCES)/,
    "Look at the folder of the server's Unix socket (host=/run/postgresql) and at who may enter it",
  ],
  [
    /^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)|timeout expired|connection timeout/,
    'No answer comes from there: look at host, port and firewalls',
  ],
]

/** Words that say what to do about an error of connecting or of the first statements; null where nothing is known. */
function cureOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return CURES.find(([sign]) => sign.test(code) || sign.test(error.message))?.[1] ?? null
}
