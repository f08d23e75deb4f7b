import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import * as v from 'valibot'
import { Envelope } from '../src/contract/api/envelope.ts'
import { postgresAccount } from '../src/service/platform/database/embedded/postgres-location.ts'
import { createAgreementApi, until } from './agreements/agreement-api.ts'
import { openAgreementBooks } from './agreements/agreement-books.ts'
import { openBooks } from './books/books.ts'
import { inFolder } from './machines/folder.ts'
import type { AtEnd } from './machines/folder.ts'
import { startOwnPostgres } from './machines/own-postgres.ts'
import { startProgram } from './machines/replication/programs.ts'
import { FIRST_PORT, startService, clientIn, keysIn } from './machines/service-process.ts'
import { createHttpApi } from './merchant/http-api.ts'
import type { HttpApi } from './merchant/http-api.ts'
import { createMerchantServer } from './merchant/merchant-server.ts'
import type { End } from './merchant/merchant-server.ts'
import type { Say } from './say.ts'

/** Debian's, where it is installed, beside the embedded one. */
const OTHER_PROGRAMS = '/usr/lib/postgresql/15'
export const PGBOUNCER = '/usr/sbin/pgbouncer'
const POOLINGS = ['session', 'transaction'] as const
type Pooling = (typeof POOLINGS)[number]
/** Services at once: together they fit into a server's usual 100 connections, as each is little used. */
const LANES = 5
const POOLER_START_MS = 500

/** What the service makes right for itself, all at once. */
const SAMPLE_MADE_RIGHT: readonly Setting[] = [
  { name: 'DateStyle', value: 'German, DMY' },
  { name: 'TimeZone', value: 'Africa/Monrovia' },
  { name: 'IntervalStyle', value: 'iso_8601' },
  { name: 'array_nulls', value: 'off' },
  { name: 'bytea_output', value: 'escape' },
  { name: 'exit_on_error', value: 'on' },
  { name: 'extra_float_digits', value: '-15' },
  { name: 'standard_conforming_strings', value: 'off' },
  { name: 'synchronous_commit', value: 'off' },
  { name: 'transform_null_equals', value: 'on' },
  { name: 'default_transaction_isolation', value: 'serializable' },
  { name: 'lock_timeout', value: '1' },
  { name: 'idle_in_transaction_session_timeout', value: '1' },
  { name: 'idle_session_timeout', value: '1' },
  { name: 'transaction_timeout', value: '1' },
]
const SAMPLE_REFUSED: readonly Setting[] = [{ name: 'search_path', value: 'nowhere' }]
const SAMPLE_POOLED: readonly Setting[] = [
  { name: 'DateStyle', value: 'German, DMY' },
  { name: 'array_nulls', value: 'off' },
]

/**
 * Gives the service's role every setting that a role can carry, one after the other, with values that are not the usual ones, also behind a
 * pooler in both ways of pooling. Each time the service, on an empty database, must do all that it does, or say in one line at its start what
 * to change.
 */
export async function foreignDatabase(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { short: { type: 'boolean', default: false }, only: { type: 'string' } },
  })
  const servers = [undefined, ...(existsSync(OTHER_PROGRAMS) && !values.short ? [OTHER_PROGRAMS] : [])]
  for (const programs of servers)
    await inFolder(async (folder, atEnd) => {
      const world = await startWorld(folder, atEnd, programs)
      const trials = values.short ? sampleOf() : await allOf(world, values.only)
      const tallies = await tryEach(world, trials, say)
      for (const [where, { right, refused, unset }] of tallies)
        say(
          `PostgreSQL ${world.version}, ${where}: ${right} right, ${refused} refused in one line, ${unset} that no role can carry`,
        )
    })
}

interface World {
  folder: string
  version: string
  /** Who may do everything. */
  admin: pg.Pool
  connectionString: string
}

interface Tally {
  right: number
  refused: number
  /** Values that the server does not let a role carry. */
  unset: number
}

async function startWorld(folder: string, atEnd: AtEnd, programs?: string): Promise<World> {
  const { connectionString, restartAtOnce, stop } = await startOwnPostgres(folder, programs)
  atEnd(stop)
  const admin = new pg.Pool({ connectionString, max: LANES })
  // The server may stop before it has taken leave of each connection.
  admin.on('error', () => undefined)
  atEnd(() => admin.end())
  // A service that is ended leaves its connections to the server for a while.
  await admin.query('ALTER SYSTEM SET max_connections = 400')
  await restartAtOnce()
  await admin.query('CREATE ROLE somebody')
  const { rows } = await admin.query<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  )
  return { folder, version: rows[0]?.version ?? '', admin, connectionString }
}

/** What is to be tried: a role's settings, directly or through a pooler. */
interface Trial {
  settings: readonly Setting[]
  pooling: Pooling | null
}

function sampleOf(): Trial[] {
  const direct = [SAMPLE_MADE_RIGHT, SAMPLE_REFUSED].map((settings) => ({ settings, pooling: null }))
  return [...direct, ...pooled(SAMPLE_POOLED)]
}

async function allOf({ admin }: World, only: string | undefined): Promise<Trial[]> {
  const settings = (await foreignSettings(admin)).filter(({ name }) => only === undefined || name === only)
  const direct = settings.map((setting) => ({ settings: [setting], pooling: null }))
  return [...direct, ...(only === undefined ? pooled([...SAMPLE_MADE_RIGHT, ...SAMPLE_REFUSED]) : [])]
}

/** Each of these settings behind a pooler, in both ways of pooling; nothing where none is installed. */
function pooled(settings: readonly Setting[]): Trial[] {
  if (!existsSync(PGBOUNCER)) return []
  return POOLINGS.flatMap((pooling) => settings.map((setting) => ({ settings: [setting], pooling })))
}

/** Tries all, some at a time; throws with everything that was not right. */
async function tryEach(world: World, trials: readonly Trial[], say: Say): Promise<Map<string, Tally>> {
  const tallies = new Map<string, Tally>()
  const faults: string[] = []
  const left = [...trials.entries()]
  const lane = async (number: number) => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, trial] = next
      const where = trial.pooling === null ? 'directly' : `PgBouncer, ${trial.pooling} pooling`
      const tally = tallies.get(where) ?? { right: 0, refused: 0, unset: 0 }
      tallies.set(where, tally)
      try {
        tally[await tryOne(world, trial, { at, number })] += 1
      } catch (error) {
        const words = trial.settings.map(({ name, value }) => `${name} = ${value}`).join(', ')
        faults.push(`${where}, ${words}: ${String(error)}`)
        say(faults.at(-1) ?? '')
      }
      if (at % 50 === 49) say(`PostgreSQL ${world.version}: ${at + 1} of ${trials.length}`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)))
  if (faults.length > 0) throw new Error(`${faults.length} were not right: ${faults.join('\n')}`)
  return tallies
}

/** Lets a new role with these settings own an empty database, and a service live through a day there, or refuse to start. */
async function tryOne(
  world: World,
  { settings, pooling }: Trial,
  { at, number }: { at: number; number: number },
): Promise<keyof Tally> {
  const { admin } = world
  const name = `shop_${at}`
  const folder = join(world.folder, name)
  await admin.query(`CREATE ROLE ${name} LOGIN IN ROLE somebody`)
  await admin.query(`CREATE DATABASE ${name} OWNER ${name}`)
  const poolerPort = FIRST_PORT + LANES + number
  const pooler = pooling === null ? null : await startPooler(world, { role: name, pooling, port: poolerPort })
  try {
    if (!(await isCarried(admin, name, settings))) return 'unset'
    mkdirSync(folder, { mode: 0o711 })
    const own = (user: string) =>
      world.connectionString.replace('svc@', `${user}@`).replace('/postgres?', `/${name}?`)
    const databaseUrl = pooler === null ? own(name) : `postgres://${name}@127.0.0.1:${poolerPort}/${name}`
    const isRight = await startAndLive({ folder, databaseUrl, books: own('svc'), port: FIRST_PORT + number })
    rmSync(folder, { recursive: true })
    return isRight ? 'right' : 'refused'
  } finally {
    await pooler?.()
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.query(`DROP ROLE ${name}`)
  }
}

/** Gives a role the settings; whether the server let it. */
async function isCarried(admin: pg.Pool, role: string, settings: readonly Setting[]): Promise<boolean> {
  const isList = (name: string) => name === 'search_path' || name === 'DateStyle'
  for (const { name, value } of settings) {
    const text = isList(name) && value !== '' ? value : pg.escapeLiteral(value)
    const isSet = await admin.query(`ALTER ROLE ${role} SET ${name} = ${text}`).then(
      () => true,
      () => false,
    )
    if (!isSet) return false
  }
  return true
}

interface Start {
  folder: string
  databaseUrl: string
  /** By which the tables are read. */
  books: string
  port: number
}

/** Whether the service was right; false: it refused to start, in one line. */
async function startAndLive({ folder, databaseUrl, books, port }: Start): Promise<boolean> {
  const settings = { SVC_PORT: String(port) }
  const service = await startService({ folder, databaseUrl, settings }).catch(() => null)
  if (service === null) {
    refuseOtherThanOneLine(readFileSync(join(folder, 'service-0.log'), 'utf8'))
    return false
  }
  try {
    await liveThroughDay({ folder, port, connectionString: books })
  } finally {
    await service.kill()
  }
  return true
}

/** What a start that is refused has to say: one line that is no stack, and what to change. */
function refuseOtherThanOneLine(log: string): void {
  const lines = log.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  const [line = ''] = lines
  const isOneLine = lines.length === 1 && line.startsWith('svc: ')
  if (!isOneLine || !/ALTER ROLE|GRANT|CREATE SCHEMA|pool_mode|look at/i.test(line))
    throw new Error(`the start was refused by: ${log}`)
}

/** Starts a PgBouncer before the world's server, for one role. */
export async function startPooler(
  world: Pick<World, 'folder' | 'connectionString'>,
  { role, pooling, port }: { role: string; pooling: Pooling; port: number },
): Promise<() => Promise<void>> {
  const folder = join(world.folder, `pooler-${role}`)
  mkdirSync(folder, { mode: 0o700 })
  const [, socket = ''] = /host=([^&]+)/.exec(world.connectionString) ?? []
  const file = join(folder, 'pgbouncer.ini')
  const settings = [
    '[databases]',
    `* = host=${decodeURIComponent(socket)} port=5432 user=${role}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${pooling}`,
    'default_pool_size = 40',
  ]
  writeFileSync(file, `${settings.join('\n')}\n`)
  const { uid, gid } = postgresAccount()
  if (uid !== undefined && gid !== undefined) for (const path of [folder, file]) chownSync(path, uid, gid)
  const program = startProgram('pgbouncer', [file], { folder })
  await sleep(POOLER_START_MS)
  return () => program.end('SIGKILL')
}

/** One setting, as `ALTER ROLE … SET` gets it. */
interface Setting {
  name: string
  value: string
}

interface Known {
  name: string
  setting: string
  vartype: 'bool' | 'enum' | 'integer' | 'real' | 'string'
  min_val: string | null
  max_val: string | null
  enumvals: string[] | null
}

/** Texts that have harmed somebody; any other setting of a text gets nothing and nonsense. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  DateStyle: ['German, DMY', 'SQL, DMY', 'Postgres, MDY', 'ISO, YMD'],
  TimeZone: ['Africa/Monrovia', 'Asia/Kathmandu', '<-03>+3'],
  client_encoding: ['LATIN1', 'SQL_ASCII', 'SJIS'],
  search_path: ['nowhere', 'pg_catalog', 'pg_temp, public', '"$user"', ''],
  session_preload_libraries: ['nowhere'],
  local_preload_libraries: ['nowhere'],
  role: ['somebody'],
  lc_messages: ['C', 'POSIX'],
  lc_monetary: ['C', 'POSIX'],
  lc_numeric: ['C', 'POSIX'],
  lc_time: ['C', 'POSIX'],
  timezone_abbreviations: ['India', 'Australia'],
  default_text_search_config: ['german', 'simple'],
}

/** Settings that a session can't be given by its role: the session itself is made of them, or each transaction sets them anew. */
const OF_TRANSACTIONS = [
  'transaction_isolation',
  'transaction_read_only',
  'transaction_deferrable',
  'session_authorization',
]

/** Every value to try of every setting that a role can carry: the other one, all others, the least, the most and a small one. */
async function foreignSettings(admin: pg.Pool): Promise<Setting[]> {
  const { rows } = await admin.query<Known>(
    `SELECT name, setting, vartype, min_val, max_val, enumvals FROM pg_settings
     WHERE context IN ('user', 'superuser', 'backend', 'superuser-backend') AND name <> ALL ($1) ORDER BY name`,
    [OF_TRANSACTIONS],
  )
  return rows.flatMap((known) =>
    valuesOf(known)
      .filter((value) => value !== known.setting)
      .map((value) => ({ name: known.name, value })),
  )
}

function valuesOf({ name, setting, vartype, min_val, max_val, enumvals }: Known): readonly string[] {
  if (vartype === 'bool') return [setting === 'on' ? 'off' : 'on']
  if (vartype === 'enum') return enumvals ?? []
  if (vartype === 'string') return TEXTS[name] ?? ['', 'nonsense']
  const [least, most] = [Number(min_val), Number(max_val)]
  const small = Math.min(least <= 0 ? 1 : least + 1, most)
  return [...new Set([String(min_val), String(small), String(max_val)])]
}

const MAX_MS = 30_000
const Charges = v.array(v.object({ _id: v.string(), created_at: v.pipe(v.string(), v.isoTimestamp()) }))

interface Place {
  /** Of the service that has made its merchant on an empty database. */
  folder: string
  port: number
  /** The same database, past any pooler, as somebody with usual settings. */
  connectionString: string
}

/**
 * A little of all that a service does: a charge held, captured and refunded, a list, a payment of an agreement, a job, and events sealed.
 * Rejects where one of them is not right, and at the first answer 500.
 */
async function liveThroughDay(place: Place): Promise<void> {
  const late = new AbortController()
  const tooLate = sleep(MAX_MS, undefined, { signal: late.signal }).then(() => {
    throw new Error(`the day was not over after ${MAX_MS} ms`)
  })
  const http = createHttpApi(() => place.port)
  let fail: (fault: Error) => void = () => undefined
  const broken = new Promise<never>((_resolve, reject) => (fail = reject))
  const api: HttpApi = {
    ...http,
    async send(call) {
      const answer = await http.send(call)
      if (answer.status === 500) fail(new Error(`${call.method} ${call.path}: ${answer.text}`))
      return answer
    },
  }
  try {
    await Promise.race([dayOf(api, place), tooLate, broken])
  } finally {
    late.abort()
    await tooLate.catch(() => undefined)
    http.close()
  }
}

async function dayOf(api: HttpApi, { folder, connectionString }: Place): Promise<void> {
  const keys = keysIn(folder)
  const server = createMerchantServer(api, keys, () => undefined)
  const token = await server.tokenise('card')
  const sold = await server.sell('sale', { token, amount: '20.00', reference: 'Ωmega 漢字', capture: false })
  const id = chargeOf(sold, 'pending')
  chargeOf(await server.capture('capture', id, '20.00'), 'complete')
  chargeOf(await server.refund('refund', id, '5.00'), 'complete')
  const list = await api.send({
    method: 'GET',
    path: '/v1/charges?limit=10',
    headers: { 'x-user-secret-key': keys.secretKey },
  })
  const charges = v.parse(Charges, v.parse(Envelope, JSON.parse(list.text)).resource.data)
  if (!charges.some(({ _id }) => _id === id)) throw new Error(`the list lacks the charge: ${list.text}`)
  const agreements = createAgreementApi(api, clientIn(folder))
  const terms = { amount_type: 'usage', maximum_amount: '300.00' }
  const agreement = await agreements.makeActive({ type: 'adhoc', debtor: 'approve', payment_terms: terms })
  const paid = await agreements.send({
    method: 'POST',
    path: `/agreements/${agreement}/payments`,
    headers: { 'idempotency-key': 'invoice' },
    body: { amount: '7.00', reference: 'invoice' },
  })
  if (paid.status !== 201) throw new Error(`a payment was answered ${paid.status}: ${paid.text}`)
  await inBooks(connectionString)
  const health = await api.send({ method: 'GET', path: '/health' })
  if (health.status !== 200) throw new Error(`/health was answered ${health.status}: ${health.text}`)
}

/** The id of a charge that has this status. */
function chargeOf(end: End, status: string): string {
  if (end.kind === 'refused') throw new Error(`a request was refused: ${end.code}`)
  if (end.charge.status !== status) throw new Error(`a charge is ${end.charge.status}, not ${status}`)
  return end.charge._id
}

/** Waits until the payment is settled and every event is sealed; then the books must agree with the ledgers. */
async function inBooks(connectionString: string): Promise<void> {
  const [books, agreements] = [openBooks(connectionString), openAgreementBooks(connectionString)]
  await until(async () => {
    const [row] = await agreements.read<{ settled: string; sealed: string; waiting: string }>(
      `SELECT (SELECT count(*) FROM agreement_payments WHERE status = 'settled') AS settled,
         (SELECT count(*) FROM events WHERE type LIKE 'charge.%') AS sealed, (SELECT count(*) FROM event_outbox) AS waiting`,
    )
    return row?.settled === '1' && Number(row.sealed) >= 3 && row.waiting === '0'
  })
  const differences = [...(await books.differences()), ...(await agreements.differences())]
  if (differences.length > 0) throw new Error(differences.join('; '))
  if ((await books.openAttempts()) > 0) throw new Error('an attempt has no outcome')
}
