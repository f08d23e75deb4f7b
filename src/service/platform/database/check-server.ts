import { DatabaseFault } from './faults.ts'
import type { Database } from './database.ts'
import type { Migration } from './migrate.ts'
import { arrayOf, bool, integer, nullable, text } from './sql-types.ts'
import type { ValuesOf } from './sql-types.ts'
import { statement } from './statement.ts'

/** The oldest server that the service is tried with. */
const OLDEST = { number: 150_000, name: '15' }

const readVersion = statement({
  name: 'read_version',
  values: {},
  columns: { words: text },
  sql: 'SELECT version() AS words',
})

const serverColumns = {
  version: text,
  version_number: integer,
  encoding: text,
  is_standby: bool,
  is_read_only: bool,
  database: text,
  login: text,
  role: text,
  search_path: text,
  schema: nullable(text),
  schema_of_tables: nullable(text),
  has_changed_collation: bool,
  connection_limit: integer,
  fsync: bool,
  full_page_writes: bool,
}
type Server = ValuesOf<typeof serverColumns>

/**
 * Names are quoted as SQL identifiers. `connection_limit`: how many connections this role may have at once here. `schema_of_tables`: the schema
 * that has our tables; null if that is the first of `search_path`, or if there are none.
 */
const readServer = statement({
  name: 'read_server',
  values: {},
  columns: serverColumns,
  sql: `
    SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS version_number,
      current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS is_standby,
      current_setting('transaction_read_only')::boolean AS is_read_only, quote_ident(d.datname) AS database,
      quote_ident(session_user) AS login, quote_ident(current_user) AS role, current_setting('search_path') AS search_path,
      current_schema()::text AS schema,
      (SELECT quote_ident(n.nspname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relname = 'payment_source_tokens' AND c.relkind = 'r'
         AND to_regclass(quote_ident(current_schema()) || '.payment_source_tokens') IS NULL
       LIMIT 1) AS schema_of_tables,
      coalesce(d.datcollversion <> pg_database_collation_actual_version(d.oid), false) AS has_changed_collation,
      least(
        current_setting('max_connections')::integer - CASE WHEN r.rolsuper THEN 0
          ELSE current_setting('superuser_reserved_connections')::integer
            + coalesce(current_setting('reserved_connections', true), '0')::integer END,
        nullif(d.datconnlimit, -1), nullif(r.rolconnlimit, -1)) AS connection_limit,
      current_setting('fsync')::boolean AS fsync, current_setting('full_page_writes')::boolean AS full_page_writes
    FROM pg_database d, pg_roles r WHERE d.datname = current_database() AND r.rolname = session_user`,
})

/**
 * Refuses, by a `DatabaseFault` that says in one line what to change, a server or a database that the service can't work with whatever
 * it sets. Returns what it can work with and should be changed, a line each. `connections`: how many this process uses. Other engines that speak
 * PostgreSQL's protocol are taken as they are.
 */
export async function checkServer(database: Database, connections: number): Promise<string[]> {
  const [version] = await database.run(readVersion, {})
  await database.checkPooler()
  if (version?.words.startsWith('PostgreSQL ') !== true) return []
  const [server] = await database.run(readServer, {})
  if (server === undefined) return []
  const fault = whyUnfit(server)
  if (fault !== null) throw new DatabaseFault(fault)
  return warningsOf(server, database.isPooled() ? 0 : connections)
}

function whyUnfit(server: Server): string | null {
  const { version, encoding, schema, login, role, database } = server
  const setRole = (setting: string) => `ALTER ROLE ${login} IN DATABASE ${database} SET ${setting}`
  if (server.version_number < OLDEST.number)
    return `the database's PostgreSQL is ${version}: the service needs ${OLDEST.name} or newer`
  if (encoding !== 'UTF8')
    return `the database's encoding is ${encoding}, which lacks most characters: make another database WITH ENCODING 'UTF8' TEMPLATE template0, and name that one in SVC_DATABASE_URL`
  if (server.is_standby)
    return 'the database is a standby, which takes no writes: name the primary in SVC_DATABASE_URL, or all servers (host1:port,host2:port), of which the service takes the primary'
  if (server.is_read_only)
    return `the database gives sessions that only read: ${setRole('default_transaction_read_only = off')}`
  if (server.schema_of_tables !== null)
    return `the service's tables are in the schema ${server.schema_of_tables}, which search_path = ${server.search_path} does not name first: ${setRole(`search_path = ${server.schema_of_tables}`)}`
  if (schema === null || schema.startsWith('pg_'))
    return `search_path = ${server.search_path} names no schema for the service's tables: ${setRole('search_path = public')}, or CREATE SCHEMA AUTHORIZATION ${role}`
  return null
}

function warningsOf(server: Server, connections: number): string[] {
  const { connection_limit: limit, database } = server
  const warnings: [boolean, string][] = [
    [
      server.has_changed_collation,
      `the system's rules of sorting have changed since the database was made, so that unique indexes may miss what they have: REINDEX DATABASE ${database}; ALTER DATABASE ${database} REFRESH COLLATION VERSION`,
    ],
    [
      limit < connections,
      `the database gives ${server.login} ${limit} connections, and this process uses up to ${connections}: raise max_connections (or CONNECTION LIMIT of the role or database), else requests are answered 503 under load`,
    ],
    [
      !server.fsync || !server.full_page_writes,
      'the database may lose what was acknowledged when its machine fails: set fsync = on and full_page_writes = on in postgresql.conf',
    ],
  ]
  return warnings.flatMap(([isSo, words]) => (isSo ? [words] : []))
}

const findClosedTables = statement({
  name: 'find_closed_tables',
  values: { names: arrayOf(text) },
  columns: { name: text, is_filtered: bool, role: text },
  sql: `
    SELECT named.name, row_security_active(t.oid) AS is_filtered, quote_ident(current_user) AS role
    FROM pg_class t JOIN pg_namespace s ON s.oid = t.relnamespace
      JOIN unnest(:names::text[]) AS named (name)
        ON named.name = CASE WHEN s.nspname = current_schema() THEN '' ELSE s.nspname || '.' END || t.relname
    WHERE t.relkind = 'r' AND (row_security_active(t.oid) OR NOT has_schema_privilege(s.oid, 'USAGE')
      OR NOT has_table_privilege(t.oid, 'SELECT') OR NOT has_table_privilege(t.oid, 'INSERT')
      OR (named.name <> 'events' AND NOT has_table_privilege(t.oid, 'UPDATE')))
    ORDER BY 1 LIMIT 1`,
})

/**
 * Refuses, by a `DatabaseFault`, tables of which the service's role may not see or write everything. It may lack the right to
 * change `events`.
 */
export async function checkTables(database: Database, migrations: readonly Migration[]): Promise<void> {
  const [version] = await database.run(readVersion, {})
  if (version?.words.startsWith('PostgreSQL ') !== true) return
  const names = migrations.flatMap(({ sql }) =>
    [...sql.matchAll(/CREATE (?:UNLOGGED )?TABLE ([\w.]+)/g)].flatMap(([, name]) => name ?? []),
  )
  const [closed] = await database.run(findClosedTables, { names })
  if (closed === undefined) return
  const { name, role, is_filtered } = closed
  const cure = is_filtered
    ? `ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY, or ALTER ROLE ${role} BYPASSRLS`
    : `make ${role} its owner (REASSIGN OWNED BY its_owner TO ${role}), or GRANT USAGE ON its SCHEMA and SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN that SCHEMA TO ${role}`
  throw new DatabaseFault(
    `the database's role ${role} may not read and write all of the table ${name}: ${cure}`,
  )
}
