import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { postgresAccount } from '../src/service/platform/database/embedded/postgres-account.ts'
import { foreignSettings } from './foreign/setting-values.ts'
import type { Setting } from './foreign/setting-values.ts'
import { liveThroughDay } from './foreign/whole-day.ts'
import { inFolder } from './machines/folder.ts'
import type { AtEnd } from './machines/folder.ts'
import { startOwnPostgres } from './machines/own-postgres.ts'
import { startProgram } from './machines/replication/programs.ts'
import { FIRST_PORT, startService } from './machines/service-process.ts'
import type { Say } from './say.ts'

/** Debian's, where it is installed, beside the embedded one. */
const OTHER_PROGRAMS = '/usr/lib/postgresql/15'
const PGBOUNCER = '/usr/sbin/pgbouncer'
const POOLER_PORT = FIRST_PORT + 1
const POOLINGS = ['session', 'transaction'] as const
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
      const tallies = values.short ? await trySample(world) : await tryAll(world, values.only, say)
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
  admin: pg.Client
  connectionString: string
  atEnd: AtEnd
  /** How many services were started. */
  tried: number
}

interface Tally {
  right: number
  refused: number
  /** Values that the server does not let a role carry. */
  unset: number
}
type Tallies = [where: string, Tally][]

async function startWorld(folder: string, atEnd: AtEnd, programs?: string): Promise<World> {
  const { connectionString, stop } = await startOwnPostgres(folder, programs)
  atEnd(stop)
  const admin = new pg.Client({ connectionString })
  await admin.connect()
  atEnd(() => admin.end())
  await admin.query('CREATE ROLE somebody')
  const { rows } = await admin.query<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  )
  return { folder, version: rows[0]?.version ?? '', admin, connectionString, atEnd, tried: 0 }
}

async function trySample(world: World): Promise<Tallies> {
  const tally: Tally = { right: 0, refused: 0, unset: 0 }
  for (const settings of [SAMPLE_MADE_RIGHT, SAMPLE_REFUSED]) await tryOne(world, settings, tally)
  return [['directly', tally], ...(await tryPooled(world, SAMPLE_POOLED))]
}

async function tryAll(world: World, only: string | undefined, say: Say): Promise<Tallies> {
  const settings = (await foreignSettings(world.admin)).filter(
    ({ name }) => only === undefined || name === only,
  )
  const tally: Tally = { right: 0, refused: 0, unset: 0 }
  const faults: string[] = []
  for (const [at, setting] of settings.entries()) {
    await tryOne(world, [setting], tally).catch((error: unknown) => {
      faults.push(`${setting.name} = ${setting.value}: ${String(error)}`)
      say(faults.at(-1) ?? '')
    })
    if (at % 50 === 49) say(`PostgreSQL ${world.version}: ${at + 1} of ${settings.length} values`)
  }
  if (faults.length > 0) throw new Error(`not right: ${faults.join('\n')}`)
  return [['directly', tally], ...(await tryPooled(world, [...SAMPLE_MADE_RIGHT, ...SAMPLE_REFUSED]))]
}

/** Each of these settings behind a pooler, in both ways of pooling; nothing where none is installed. */
async function tryPooled(world: World, settings: readonly Setting[]): Promise<Tallies> {
  if (!existsSync(PGBOUNCER)) return []
  const tallies: Tallies = []
  for (const pooling of POOLINGS) {
    const tally: Tally = { right: 0, refused: 0, unset: 0 }
    for (const setting of settings) await tryOne(world, [setting], tally, pooling)
    tallies.push([`PgBouncer, ${pooling} pooling`, tally])
  }
  return tallies
}

/** Lets a new role with these settings own an empty database, and a service live through a day there, or refuse to start. */
async function tryOne(
  world: World,
  settings: readonly Setting[],
  tally: Tally,
  pooling?: (typeof POOLINGS)[number],
): Promise<void> {
  const { admin } = world
  const name = `shop_${(world.tried += 1)}`
  const folder = join(world.folder, name)
  await admin.query(`CREATE ROLE ${name} LOGIN IN ROLE somebody`)
  await admin.query(`CREATE DATABASE ${name} OWNER ${name}`)
  const pooler = pooling === undefined ? null : await startPooler(world, name, pooling)
  try {
    if (!(await isCarried(admin, name, settings))) {
      tally.unset += 1
      return
    }
    mkdirSync(folder, { mode: 0o711 })
    const own = (user: string) =>
      world.connectionString.replace('svc@', `${user}@`).replace('/postgres?', `/${name}?`)
    const databaseUrl = pooler === null ? own(name) : `postgres://${name}@127.0.0.1:${POOLER_PORT}/${name}`
    const isRight = await startAndLive({ folder, databaseUrl, books: own('svc') })
    tally[isRight ? 'right' : 'refused'] += 1
    rmSync(folder, { recursive: true })
  } finally {
    await pooler?.()
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.query(`DROP ROLE ${name}`)
  }
}

/** Gives a role the settings; whether the server let it. */
async function isCarried(admin: pg.Client, role: string, settings: readonly Setting[]): Promise<boolean> {
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
}

/** Whether the service was right; false: it refused to start, in one line. */
async function startAndLive({ folder, databaseUrl, books }: Start): Promise<boolean> {
  const service = await startService({ folder, databaseUrl }).catch(() => null)
  if (service === null) {
    refuseOtherThanOneLine(readFileSync(join(folder, 'service-0.log'), 'utf8'))
    return false
  }
  try {
    await liveThroughDay({ folder, port: service.port, connectionString: books })
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
async function startPooler(world: World, role: string, pooling: string): Promise<() => Promise<void>> {
  const folder = join(world.folder, `pooler-${role}`)
  mkdirSync(folder, { mode: 0o700 })
  const [, socket = ''] = /host=([^&]+)/.exec(world.connectionString) ?? []
  const file = join(folder, 'pgbouncer.ini')
  const settings = [
    '[databases]',
    `* = host=${decodeURIComponent(socket)} port=5432`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${POOLER_PORT}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${pooling}`,
    'default_pool_size = 40',
  ]
  const lines = settings.map((line) => (line.startsWith('*') ? `${line} user=${role}` : line))
  writeFileSync(file, `${lines.join('\n')}\n`)
  const { uid, gid } = postgresAccount()
  if (uid !== undefined && gid !== undefined) for (const path of [folder, file]) chownSync(path, uid, gid)
  const program = startProgram('pgbouncer', [file], { folder })
  await sleep(POOLER_START_MS)
  return () => program.end('SIGKILL')
}
