import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { monotonicClock } from '../clocks.ts'
import type { MonotonicClock } from '../clocks.ts'
import { forgetPostgresVariables } from '../environment.ts'
import { createConnector } from './connecting.ts'
import type { Connector } from './connecting.ts'
import { DatabaseFault, isLockTimeout, mustRunAgain, isUnavailable, unavailable } from './faults.ts'
import { createGroupCommit } from './group-commit.ts'
import type { GroupedQueries } from './group-commit.ts'
import { integer } from './sql-types.ts'
import { runStatement, statement } from './statement.ts'
import type { Statement } from './statement.ts'

/** Runs statements: the pool, or one open transaction. */
export interface Queries {
  run: <Values, Row extends object>(
    statement: Statement<Values, Row>,
    values: NoInfer<Values>,
  ) => Promise<Row[]>
}

export interface Transaction extends Queries {
  /** Several statements as one text, without values, that may take an hour: a step of the schema. */
  script: (sql: string) => Promise<void>
}

export interface Database extends Queries {
  /**
   * For short statements that stand by themselves, of which many come at once: they share round trips and commits. Each is kept
   * before its caller is answered.
   */
  grouped: GroupedQueries
  /** Everything that `work` runs by its argument happens, or none of it. */
  transaction: <Result>(work: (queries: Transaction) => Promise<Result>) => Promise<Result>
  /** Several statements as one text, without values. */
  script: (sql: string) => Promise<void>
  /** One statement that can be part of no transaction and may take an hour, such as one that makes an index beside others' work. */
  outsideTransaction: (sql: string) => Promise<void>
  /** How many connections there are, how many of them rest, and how much work waits for one. */
  connections: () => { open: number; idle: number; waiting: number }
  /** Whether connections lead to a pooler; known once there has been one. */
  isPooled: () => boolean
  /** Throws a `DatabaseFault` where connections lead to a pooler that loses prepared statements. */
  checkPooler: () => Promise<void>
  /** Rejects while the server can't be reached or takes no new connection, or answers and can't write: its disk is full, or it is a standby. */
  check: () => Promise<void>
  close: () => Promise<void>
}

/** No statement of the service takes near this long; one that does has lost its server. */
const QUERY_TIMEOUT_MS = 10_000

/** A step of the schema may go through a big table. */
const SCRIPT_TIMEOUT_MS = 3_600_000

const ping = statement({ name: 'ping', values: {}, columns: { one: integer }, sql: 'SELECT 1 AS one' })

/** How often a transaction is run at most that `mustRunAgain`. */
const MAX_RUNS = 5

// Counts and cents fit a double exactly (amounts end at 9,999,999.99), so int8 need not stay text.
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

interface PoolSettings {
  connectionString: string
  /** Connections at most. */
  connections: number
  /** Called for a connection that is lost while it rests, until `close` is called. */
  onIdleError: (error: Error) => void
  /** Told once, in words, of a connection to another machine that somebody between can read. */
  onExposed?: (words: string) => void
}

/**
 * A pool of connections to a PostgreSQL server, or to one that speaks like it. Throws a `ConnectionUrlFault` where the connection
 * string is wrong.
 */
export function createDatabase(settings: PoolSettings): Database {
  const { connectionString, connections, onIdleError, onExposed = () => undefined } = settings
  forgetPostgresVariables()
  const client = { types, query_timeout: QUERY_TIMEOUT_MS }
  const connector = createConnector({ connectionString, client, onExposed })
  const pool = new pg.Pool({ ...connector.poolOptions, max: connections })
  const take = () => connector.connect(() => pool.connect())
  pool.on('error', (error) => {
    // `close` does not wait for the server to take leave of each connection; one that stops in that moment breaks it off.
    if (!pool.ending) onIdleError(error)
  })
  const trouble = watchWrites((work) => inTransaction(take, work), monotonicClock)
  const noted = <Result>(run: () => Promise<Result>) =>
    again(() =>
      run().catch((error: unknown) => {
        trouble.note(error)
        throw error
      }),
    )
  const alone: Queries = {
    run: (asked, values) => withClient(take, (one) => runStatement(one, asked, values)),
  }
  const groups = createGroupCommit({ open: () => connector.open({ pipeline: true }), alone, onIdleError })
  return {
    run: (asked, values) => noted(() => alone.run(asked, values)),
    grouped: {
      run: (asked, values) => noted(() => groups.run(asked, values)),
      read: (asked, values) => noted(() => groups.read(asked, values)),
    },
    transaction: (work) => noted(() => inTransaction(take, work)),
    script: async (sql) => {
      await withClient(take, (one) => one.query(sql))
    },
    outsideTransaction: (sql) => runOutsideTransaction(connector, sql),
    isPooled: connector.isPooled,
    checkPooler: connector.checkPooler,
    async check() {
      await again(() => alone.run(ping, {}))
      await again(connector.checkOpening)
      // What this process has set is not what the pooler's next server connection has.
      if (connector.isPooled()) await again(() => withClient(take, connector.checkPooledSession))
      await trouble.check()
    },
    connections() {
      const { open, idle, waiting } = groups.connections()
      return {
        open: pool.totalCount + open,
        idle: pool.idleCount + idle,
        waiting: pool.waitingCount + waiting,
      }
    },
    async close() {
      // Statements of a group that failed are run by the pool.
      await groups.close()
      await pool.end()
    },
  }
}

/** A client of the pool. */
type Take = () => Promise<pg.PoolClient>

/** One that fails is given up with its connection. */
async function withClient<Result>(
  take: Take,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await take()
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function inTransaction<Result>(
  take: Take,
  work: (queries: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await take()
  let broken = false
  const onLoss = () => (broken = true)
  client.on('error', onLoss)
  try {
    await client.query('BEGIN')
    const result = await work({
      run: (asked, values) => runStatement(client, asked, values),
      script: (sql) => runScript(client, sql),
    })
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => (broken = true))
    // A server that has become a standby still takes statements: only another connection leads to the new one.
    broken ||= isUnavailable(error)
    throw error
  } finally {
    client.off('error', onLoss)
    client.release(broken)
  }
}

/**
 * On a connection of its own, so that it waits for no other work. It sets its time limit itself, as poolers drop what a connection sets at
 * its start.
 */
async function runOutsideTransaction({ open }: Connector, sql: string): Promise<void> {
  const client = await open({ query_timeout: SCRIPT_TIMEOUT_MS })
  try {
    await client.query(`SET statement_timeout = ${SCRIPT_TIMEOUT_MS}`)
    await client.query(sql)
    await client.query('RESET statement_timeout')
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function runScript(client: pg.PoolClient, sql: string): Promise<void> {
  await client.query(`SET LOCAL statement_timeout = ${SCRIPT_TIMEOUT_MS}`)
  const query = { text: sql, query_timeout: SCRIPT_TIMEOUT_MS }
  await client.query(query)
}

async function again<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let left = MAX_RUNS; ; left -= 1) {
    try {
      return await run()
    } catch (error) {
      if (isUnavailable(error) || isLockTimeout(error) || error instanceof DatabaseFault)
        throw unavailable(error)
      if (left <= 1 || !mustRunAgain(error)) throw error
    }
  }
}

/** SQLSTATEs of a server that answers and can't keep anything: 25006, read-only; 53100, disk full; 58030, a failing disk. */
const CAN_NOT_WRITE = new Set(['25006', '53100', '58030'])

/** How long the result of a trial write is relied on, in ms. */
const BELIEVED_MS = 2000

/** Remembers that the server could not write, until it can again. */
interface WriteTrouble {
  /** Called with every statement that failed. */
  note: (error: unknown) => void
  /** Rejects while the server can't write. Costs nothing unless a write has failed. */
  check: () => Promise<void>
}

/** `transaction` runs a trial write, which leaves nothing behind. */
function watchWrites(
  transaction: (work: (queries: Queries) => Promise<void>) => Promise<void>,
  clock: MonotonicClock,
): WriteTrouble {
  let trouble: unknown = null
  let lookedAt = 0
  let look: Promise<void> | null = null
  const note = (error: unknown) => {
    if (!isTrouble(error)) return
    trouble = error
    lookedAt = clock.elapsedMs()
  }
  const tryToWrite = async () => {
    try {
      await transaction(makeTableAndDropIt)
      trouble = null
    } catch (error) {
      // Any other failure of the trial says nothing about the disk.
      trouble = isTrouble(error) ? error : null
    }
    lookedAt = clock.elapsedMs()
  }
  return {
    note,
    async check() {
      if (trouble !== null && clock.elapsedMs() - lookedAt >= BELIEVED_MS) {
        look ??= tryToWrite().finally(() => (look = null))
        await look
      }
      if (trouble !== null) throw new Error('the database takes no writes', { cause: trouble })
    },
  }
}

function isTrouble(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    CAN_NOT_WRITE.has(error.code)
  )
}

/** It needs new space on the disk, as the writes that failed did. */
async function makeTableAndDropIt({ run }: Queries): Promise<void> {
  const table = `svc_write_trial_${randomBytes(6).toString('hex')}`
  const steps = [
    `CREATE TABLE ${table} (filler text)`,
    `INSERT INTO ${table} VALUES ('filler')`,
    `DROP TABLE ${table}`,
  ]
  for (const sql of steps) await run(statement({ name: '', values: {}, columns: {}, sql }), {})
}
