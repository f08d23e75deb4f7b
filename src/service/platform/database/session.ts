import pg from 'pg'
import { DatabaseFault } from './faults.ts'

/** A setting that a role or a database can carry, and that the service depends on. Values are in the setting's own unit (ms for times). */
interface SessionSetting {
  name: string
  /** What it is set to where it is not fit. */
  wanted: string
  isFit: (value: string) => boolean
  /**
   * Whether statements are right with this value, if not as good as they could be. Left out: with any value, or poolers carry a change of
   * it to each server connection that they give to a client.
   */
  isBearable?: (value: string) => boolean
}

const SETTINGS: readonly SessionSetting[] = [
  // Times are read as ISO 8601.
  { name: 'DateStyle', wanted: 'ISO, MDY', isFit: (value) => value.startsWith('ISO') },
  { name: 'TimeZone', wanted: 'UTC', isFit: is('UTC') },
  { name: 'standard_conforming_strings', wanted: 'on', isFit: is('on') },
  { name: 'array_nulls', wanted: 'on', isFit: is('on'), isBearable: is('on') },
  // With it each refused statement, such as one that is repeated, ends its connection.
  { name: 'exit_on_error', wanted: 'off', isFit: is('off'), isBearable: is('off') },
  // Below 0 it rounds the database's clock.
  { name: 'extra_float_digits', wanted: '1', isFit: isAtLeast(0), isBearable: isAtLeast(0) },
  // With `replica` a session checks no foreign key.
  {
    name: 'session_replication_role',
    wanted: 'origin',
    isFit: isNot('replica'),
    isBearable: isNot('replica'),
  },
  // Anything weaker may forget a movement that was acknowledged.
  {
    name: 'synchronous_commit',
    wanted: 'on',
    isFit: is('on', 'remote_apply'),
    isBearable: is('on', 'remote_apply'),
  },
  { name: 'statement_timeout', wanted: '10s', isFit: is('10000'), isBearable: leavesTime(1000) },
  { name: 'lock_timeout', wanted: '0', isFit: is('0'), isBearable: leavesTime(1000) },
  {
    name: 'idle_in_transaction_session_timeout',
    wanted: '0',
    isFit: leavesTime(60_000),
    isBearable: leavesTime(1000),
  },
  { name: 'idle_session_timeout', wanted: '0', isFit: is('0'), isBearable: leavesTime(1000) },
  { name: 'transaction_timeout', wanted: '0', isFit: is('0'), isBearable: leavesTime(1000) },
  // How long sent data may stay unacknowledged before TCP gives the connection up; 0 is the system's own.
  { name: 'tcp_user_timeout', wanted: '0', isFit: leavesTime(10_000), isBearable: leavesTime(1000) },
  { name: 'default_transaction_isolation', wanted: 'read committed', isFit: is('read committed') },
  { name: 'IntervalStyle', wanted: 'postgres', isFit: is('postgres') },
  { name: 'bytea_output', wanted: 'hex', isFit: is('hex') },
  { name: 'transform_null_equals', wanted: 'off', isFit: is('off') },
  { name: 'plan_cache_mode', wanted: 'auto', isFit: is('auto') },
  // A server that compiles costly statements spends 20 ms more on an overview that takes 14.
  { name: 'jit', wanted: 'off', isFit: is('off') },
]

function is(...values: readonly string[]): SessionSetting['isFit'] {
  return (value) => values.includes(value)
}

function isNot(unfit: string): SessionSetting['isFit'] {
  return (value) => value !== unfit
}

function isAtLeast(least: number): SessionSetting['isFit'] {
  return (value) => Number(value) >= least
}

/** Of a limit of time, where 0 is none. */
function leavesTime(ms: number): SessionSetting['isFit'] {
  return (value) => Number(value) === 0 || Number(value) >= ms
}

const STANDBY = 'in_hot_standby'
const SEARCH_PATH = 'search_path'
const NAMES = [...SETTINGS.map(({ name }) => name), STANDBY, SEARCH_PATH]

/** Settings that a server lacks have no row. Constants alone, so that it is right under any settings. `pg_settings` lacks `role`. */
const READ_SETTINGS = `
  SELECT name, setting, pg_catalog.pg_backend_pid() AS backend, pg_catalog.quote_ident(session_user) AS role,
    pg_catalog.quote_ident(pg_catalog.current_database()) AS database
  FROM (SELECT name, setting FROM pg_catalog.pg_settings WHERE name IN (${NAMES.map(quoted).join(', ')})
    UNION ALL SELECT 'role', coalesce(pg_catalog.current_setting('role', true), 'none')) AS settings`

interface SettingRow {
  name: string
  setting: string
  /** The server process that answered. */
  backend: number
  /** As identifiers of SQL. */
  role: string
  database: string
}

/** A connection that no error can end the process by, and that knows which server process it was promised. */
export class Connection extends pg.Client {
  declare readonly processID: number | null
  /** Whether it takes whatever certificate its server shows, if it has TLS. */
  readonly isUnchecked: boolean
  #isConnected = false
  #loss: Error | null = null

  constructor(config: pg.ClientConfig, needsChannelBinding: boolean) {
    super(config)
    // An error without a listener ends the process, so there is one from the first moment.
    this.on('error', (error) => {
      // Nothing else hears of faults while it signs in.
      if (!this.#isConnected) this.connection.stream.destroy(error)
      this.#loss ??= error
    })
    const isBound = needsChannelBinding
    this.isUnchecked = !isBound && typeof config.ssl === 'object' && config.ssl.rejectUnauthorized === false
    this.once('connect', () => (this.#isConnected = true))
    if (needsChannelBinding) refuseUnbound(this.connection)
  }

  /** Why it was lost while it had nothing to do: later statements fail for it, and don't say so. */
  get loss(): Error | null {
    return this.#loss
  }
}

/** The way to sign in that proves to client and server that nobody is between them. */
const BOUND = 'SCRAM-SHA-256-PLUS'

/** Breaks off before a password is sent in a way that is not bound to the TLS channel. */
function refuseUnbound(connection: pg.Connection): void {
  let isBound = false
  const refuse = () => {
    if (isBound) return
    connection.stream.destroy(new Error('channel_binding=require: the server does not offer channel binding'))
  }
  connection.on('authenticationSASL', (message: { mechanisms: readonly string[] }) => {
    isBound = message.mechanisms.includes(BOUND)
    refuse()
  })
  for (const other of ['authenticationCleartextPassword', 'authenticationMD5Password', 'authenticationOk'])
    connection.on(other, refuse)
}

/**
 * What decides which tables a statement finds and whose rights it has: as the first session of this process has it, which is checked at
 * the start. Later ones get the same, whatever was changed meanwhile.
 */
export type Whereabouts = ReadonlyMap<string, string>

const OF_WHEREABOUTS = new Set([SEARCH_PATH, 'role'])

/** What is known of a connection whose session has been prepared. */
interface Session {
  whereabouts: Whereabouts
  /** It leads to a pooler, which may give each transaction another server connection. */
  isPooled: boolean
  /** Its server follows another one, and can't write. */
  isStandby: boolean
}

/**
 * Makes the session of a new connection what the service depends on, whatever its role and its database carry. Throws a
 * `DatabaseFault` that says what to change where that can't be done: behind a pooler a session lasts only for a transaction, so what
 * poolers do not carry has to be right by itself; and a session may end before it can be changed (`EndedTooSoon`). `first`: what the first session had; undefined of the first itself.
 */
export async function prepareSession(client: Connection, first?: Whereabouts): Promise<Session> {
  try {
    return await makeFit(client, first)
  } catch (error) {
    const cause = error instanceof pg.DatabaseError ? error : client.loss
    const limit = cause instanceof pg.DatabaseError ? LIMITS.get(cause.code ?? '') : undefined
    if (limit !== undefined) throw new EndedTooSoon(limit, client)
    throw client.loss === null ? error : new EndedUnexplained(client.loss)
  }
}

/** The limits of time that a session can meet before it is prepared, by their SQLSTATE. */
const LIMITS: ReadonlyMap<string, string> = new Map([
  ['57P05', 'idle_session_timeout'],
  ['25P03', 'idle_in_transaction_session_timeout'],
  ['25P04', 'transaction_timeout'],
  ['57014', 'statement_timeout'],
  ['55P03', 'lock_timeout'],
])

/** The server ended a session before it could be given another limit than its role or its database carries. */
export class EndedTooSoon extends DatabaseFault {
  /** What a connection is to be opened with (`options`) so that it begins with another limit. */
  readonly cure: string

  constructor(limit: string, { user, database }: Pick<Connection, 'user' | 'database'>) {
    const [role, where] = [user ?? 'its_role', database ?? 'its_name'].map((one) => pg.escapeIdentifier(one))
    const wanted = SETTINGS.find(({ name }) => name === limit)?.wanted ?? '0'
    super(
      `the database ends sessions by ${limit} before they can begin: ALTER ROLE ${role} IN DATABASE ${where} SET ${limit} = '${wanted}', and let a pooler open new server connections (RECONNECT)`,
    )
    this.cure = `-c ${limit}=${wanted}`
  }
}

/** The server ended a session before it was prepared; if it said why, that was lost, too. */
export class EndedUnexplained extends Error {
  readonly code: unknown
  /** What the server may have met: it waits for the first statement, and resets a connection on which that comes too late. */
  readonly cure = '-c idle_session_timeout=0'

  constructor(loss: Error) {
    super(loss.message, { cause: loss })
    this.code = Reflect.get(loss, 'code')
  }
}

async function makeFit(client: Connection, first?: Whereabouts): Promise<Session> {
  const rows = await readSettings(client)
  const whereabouts = first ?? whereaboutsOf(rows)
  const needed = neededBy(whereabouts)
  const isPooled = rows.some(({ backend }) => backend !== client.processID)
  if (isPooled) refuseUnbearable(rows, needed)
  const changes = needed.filter(({ name, isFit }) =>
    rows.some((row) => row.name === name && !isFit(row.setting)),
  )
  if (changes.length > 0) {
    const calls = changes.map(
      ({ name, wanted }) => `pg_catalog.set_config('${name}', ${quoted(wanted)}, false)`,
    )
    await client.query(`SELECT ${calls.join(', ')}`).catch((error: unknown) => {
      if (isRefused(error)) refuseUnbearable(rows, needed)
      throw error
    })
  }
  return {
    whereabouts,
    isPooled,
    isStandby: rows.some(({ name, setting }) => name === STANDBY && setting === 'on'),
  }
}

/** Throws a `DatabaseFault` where the server connection that a pooler gives just now is not as the service needs it. */
export async function checkPooledSession(
  connection: Pick<pg.ClientBase, 'query'>,
  first: Whereabouts | undefined,
): Promise<void> {
  const rows = await readSettings(connection)
  refuseUnbearable(rows, neededBy(first ?? whereaboutsOf(rows)))
}

function whereaboutsOf(rows: readonly SettingRow[]): Whereabouts {
  return new Map(
    rows.filter(({ name }) => OF_WHEREABOUTS.has(name)).map(({ name, setting }) => [name, setting]),
  )
}

function neededBy(whereabouts: Whereabouts): SessionSetting[] {
  const same = [...whereabouts].map(([name, wanted]) => ({
    name,
    wanted,
    isFit: is(wanted),
    isBearable: is(wanted),
  }))
  return [...same, ...SETTINGS]
}

async function readSettings(connection: Pick<pg.ClientBase, 'query'>): Promise<SettingRow[]> {
  const { rows } = await connection.query<SettingRow>(READ_SETTINGS)
  return rows
}

/** The role may not change a setting, such as `session_replication_role`. */
function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '42501'
}

function refuseUnbearable(rows: readonly SettingRow[], needed: readonly SessionSetting[]): void {
  for (const { name, wanted, isBearable } of needed) {
    const row = rows.find((one) => one.name === name)
    if (row === undefined || isBearable === undefined || isBearable(row.setting)) continue
    // Quoted, a list would be one name.
    const value = name === SEARCH_PATH && wanted !== '' ? wanted : quoted(wanted)
    throw new DatabaseFault(
      `the database gives sessions ${name} = ${row.setting}, which the service can't work with: ALTER ROLE ${row.role} IN DATABASE ${row.database} SET ${name} = ${value}, and let a pooler open new server connections (RECONNECT)`,
    )
  }
}

function quoted(text: string): string {
  return pg.escapeLiteral(text)
}
