import { randomBytes } from 'node:crypto'
import { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { TLSSocket } from 'node:tls'
import pg from 'pg'
import { isThisMachine, readConnectionUrl } from './connection-url.ts'
import type { ConnectionPlan } from './connection-url.ts'
import { DatabaseFault } from './faults.ts'
import { checkPooledSession, Connection, EndedTooSoon, EndedUnexplained, prepareSession } from './session.ts'
import type { Whereabouts } from './session.ts'

/** Opens connections to the servers that one connection string names, each with its session prepared. */
export interface Connector {
  /** For `pg.Pool`, whose `connect` has to be called by `connect` below. */
  poolOptions: Pick<pg.PoolConfig, 'Client' | 'onConnect' | 'connectionTimeoutMillis'>
  /** A connection beside the pool, which the caller ends. `overrides` of what it is opened with. */
  open: (overrides?: pg.ClientConfig) => Promise<Connection>
  /** Makes a connection by `attempt` where one could be made last; where that fails, at each other server once. */
  connect: <Result>(attempt: () => Promise<Result>) => Promise<Result>
  /** Whether a pooler has answered. */
  isPooled: () => boolean
  /** Throws a `DatabaseFault` where the server connection that a pooler gives just now is not as the service needs it. */
  checkPooledSession: (connection: Pick<pg.ClientBase, 'query'>) => Promise<void>
  /** Throws a `DatabaseFault` where a pooler loses statements that a connection has prepared. */
  checkPooler: () => Promise<void>
  /** Rejects while no new connection can be made, though those that there are may go on. Costs nothing unless one has failed. */
  checkOpening: () => Promise<void>
}

interface Settings {
  connectionString: string
  /** How each connection reads values, and how long it waits for an answer. */
  client: Pick<pg.ClientConfig, 'types' | 'query_timeout'>
  /** Told once, in words, of a connection to another machine that somebody between can read. */
  onExposed: (words: string) => void
}

/** One server, with or without TLS. */
interface Way {
  place: ConnectionPlan['places'][number]
  config: Pick<pg.ClientConfig, 'host' | 'port' | 'ssl' | 'sslnegotiation'>
}

const CONNECT_TIMEOUT_MS = 5000

/** Throws a `ConnectionUrlFault` where the connection string is wrong. */
export function createConnector({ connectionString, client: common, onExposed }: Settings): Connector {
  const plan = readConnectionUrl(connectionString)
  const { needsChannelBinding, needsPrimary } = plan
  const connectionTimeoutMillis = plan.connectTimeoutMs ?? CONNECT_TIMEOUT_MS
  const opening = createOpening(plan)
  const { connect } = opening
  let first: Whereabouts | undefined
  let isPooled = false
  let hasWarned = false
  const configNow = () => ({ ...opening.configNow(), ...common, connectionTimeoutMillis })
  const prepare = async (client: Connection) => {
    const session = await prepareSession(client, first)
    first ??= session.whereabouts
    isPooled = session.isPooled
    if (needsPrimary && session.isStandby) throw new StandbyPassedOver()
    opening.noteMade()
    const words = hasWarned ? null : exposureOf(client)
    if (words === null) return
    hasWarned = true
    onExposed(words)
  }
  const open = (overrides: pg.ClientConfig = {}) =>
    connect(async () => {
      const client = new Connection({ ...configNow(), ...overrides }, needsChannelBinding)
      try {
        await client.connect()
        await prepare(client)
        return client
      } catch (error) {
        client.end().catch(() => undefined)
        throw error
      }
    })
  class PooledConnection extends Connection {
    constructor() {
      super(configNow(), needsChannelBinding)
    }
  }
  // The pool waits for its promise.
  const hooks = { onConnect: (client: pg.ClientBase) => client instanceof Connection && prepare(client) }
  return {
    poolOptions: { ...hooks, Client: PooledConnection, connectionTimeoutMillis },
    open,
    connect,
    isPooled: () => isPooled,
    checkPooledSession: (connection) => checkPooledSession(connection, first),
    async checkPooler() {
      if (isPooled) await withTwo(open, prepareByTurns)
    },
    async checkOpening() {
      if (!opening.hasFailed()) return
      const trial = await open()
      await trial.end()
    },
  }
}

/** By which way connections are opened, with which options from their beginning, and whether one can be. */
function createOpening(plan: ConnectionPlan) {
  const ways = createWays(waysOf(plan))
  const beginning = createBeginning(plan.login.options)
  let hasFailed = false
  const connect: Connector['connect'] = async (attempt) => {
    try {
      return await ways.connect(() => beginning.connect(attempt))
    } catch (error) {
      hasFailed ||= !isOfLoad(error)
      throw error
    }
  }
  return {
    configNow: () => ({ ...plan.login, ...beginning.options(), ...ways.now().config }),
    connect,
    noteMade: () => void (hasFailed = false),
    hasFailed: () => hasFailed,
  }
}

/** Remembers by which way a server was reached last, and goes to the next one when it can't be any more. */
function createWays(ways: readonly [Way, ...Way[]]): { now: () => Way; connect: Connector['connect'] } {
  let [way] = ways
  return {
    now: () => way,
    async connect(attempt) {
      for (let tries = 1; ; tries += 1) {
        const tried = way
        try {
          return await attempt()
        } catch (error) {
          const next = nextWay(ways, tried, error)
          // Another one that failed may have moved on already.
          if (way === tried) way = next
          if (next === tried || tries >= ways.length) throw error
        }
      }
    },
  }
}

/** Gives each later connection from its beginning what one lacked that ended before it could be given anything. */
function createBeginning(given: string | undefined): {
  options: () => Pick<pg.ClientConfig, 'options'>
  connect: Connector['connect']
} {
  const cures = new Set<string>()
  return {
    options: () => (cures.size === 0 ? {} : { options: [given ?? '', ...cures].join(' ').trim() }),
    async connect(attempt) {
      let ended: EndedTooSoon | EndedUnexplained | null = null
      for (;;) {
        const had = new Set(cures)
        try {
          return await attempt()
        } catch (error) {
          if (had.size > 0 && isUnknownToPooler(error)) {
            cures.clear()
            if (ended !== null) throw ended
          } else if (hasCure(error) && !had.has(error.cure)) {
            ended = error
            cures.add(error.cure)
          } else throw error
        }
      }
    },
  }
}

function hasCure(error: unknown): error is EndedTooSoon | EndedUnexplained {
  return error instanceof EndedTooSoon || error instanceof EndedUnexplained
}

function isUnknownToPooler(error: unknown): boolean {
  return error instanceof Error && error.message.includes('unsupported startup parameter')
}

/** Whether no connection could be made as there are too many already: those that there are do the work. */
function isOfLoad(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.code === '53300'
  return (
    error instanceof Error && /^timeout exceeded|too many clients|no more connections/.test(error.message)
  )
}

async function withTwo(
  open: Connector['open'],
  work: (one: Connection, other: Connection) => Promise<void>,
): Promise<void> {
  const one = await open()
  try {
    const other = await open()
    try {
      await work(one, other)
    } finally {
      await other.end()
    }
  } finally {
    await one.end()
  }
}

/** SQLSTATEs: a statement of this name is prepared already, or is not prepared. */
const NOT_KEPT = new Set(['42P05', '26000'])
const TURNS = 3

/**
 * Runs a prepared statement on each of two connections while the other has its server connection for itself. A pooler that gives each
 * transaction whatever server connection is free has to know then what each of the two has prepared.
 */
async function prepareByTurns(one: Connection, other: Connection): Promise<void> {
  const trialOf = () => ({ name: `pooler_trial_${randomBytes(6).toString('hex')}`, text: 'SELECT 1' })
  const sides = [
    { client: one, trial: trialOf() },
    { client: other, trial: trialOf() },
  ]
  try {
    for (let turn = 0; turn < TURNS; turn += 1) {
      for (const holder of sides) {
        await holder.client.query('BEGIN')
        for (const { client, trial } of sides) await client.query(trial)
        await holder.client.query('COMMIT')
      }
    }
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !NOT_KEPT.has(error.code ?? '')) throw error
    throw new DatabaseFault(
      'the pooler gives each transaction another server connection and does not keep what was prepared: set pool_mode = session, or with PgBouncer 1.21 or newer max_prepared_statements = 1000',
    )
  }
}

/** Of several servers one that can't write. */
class StandbyPassedOver extends Error {
  readonly code = '25006'
  override readonly message = 'the server is a standby, which takes no writes'
}

function waysOf({ places, login }: ConnectionPlan): [Way, ...Way[]] {
  const [first, ...others] = places.flatMap((place) =>
    place.tls.map((ssl): Way => {
      const { host, port } = place
      const negotiation = ssl === false ? {} : { sslnegotiation: login.sslnegotiation }
      return { place, config: { host, port, ssl, ...negotiation } }
    }),
  )
  if (first === undefined) throw new Error('a connection string without a server')
  return [first, ...others]
}

/** Where to go after a failure: for one of TLS, the server's next way; else the next server; else it stays. */
function nextWay(ways: readonly Way[], tried: Way, error: unknown): Way {
  if (!isWorthAnother(error)) return tried
  const at = ways.indexOf(tried)
  const after = [...ways.slice(at + 1), ...ways.slice(0, at)]
  const [following] = ways.slice(at + 1)
  if (following?.place === tried.place && isOfEncryption(error)) return following
  return after.find(({ place }) => place !== tried.place) ?? tried
}

/** SQLSTATEs: 08, 57P0, 53300, not to be reached now; 28000, not from here or not in this way; 25006, a standby. */
const NOT_HERE = /^(?:08|25006|28000|53300|57P0)/

/** Whether another server, or another way to this one, may do better. */
function isWorthAnother(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof DatabaseFault) return false
  if (error instanceof pg.DatabaseError) return NOT_HERE.test(error.code ?? '')
  // Words of the pool and the driver: all connections are in use; what was given to sign in with is wrong.
  return !/^(?:timeout exceeded|SASL|channel_binding)/.test(error.message)
}

/** Whether a connection failed for its TLS, or for having none. */
function isOfEncryption(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (error instanceof pg.DatabaseError) return code === '28000'
  return (
    /^(?:ERR_SSL|ERR_TLS|EPROTO|ECONNRESET|[A-Z_]*CERT)/.test(code) ||
    /SSL|TLS|Connection terminated unexpectedly/.test(error.message)
  )
}

interface Connected {
  host: string
  isUnchecked: boolean
  connection: Pick<pg.Connection, 'stream'>
}

/** In words, that somebody on its way can read what is sent to another machine, and what to do; else null. */
export function exposureOf({ connection: { stream }, host, isUnchecked }: Connected): string | null {
  if (!(stream instanceof Socket)) return null
  const isPlain = !(stream instanceof TLSSocket)
  const address = stream.remoteAddress
  if (!(isPlain || isUnchecked) || address === undefined) return null
  const own = Object.values(networkInterfaces()).flatMap((list) => list?.map((one) => one.address) ?? [])
  if (isThisMachine(host) || isThisMachine(address) || own.includes(address)) return null
  const connection = `the connection to the database at ${host}:${stream.remotePort ?? ''}`
  return isPlain
    ? `${connection} has no TLS, so that everybody between can read it: turn ssl on there, and add sslmode=verify-full with sslrootcert=… to SVC_DATABASE_URL`
    : `${connection} is encrypted, but the server's certificate is not checked, so that somebody between can pass for the server: add sslmode=verify-full with sslrootcert=… to SVC_DATABASE_URL`
}
