import pg from 'pg'
import { forgetPostgresVariables } from '../../config.ts'
import { monotonicClock } from '../clocks.ts'
import { ServiceError } from '../errors.ts'
import { integer } from './sql-types.ts'
import { statement } from './statement.ts'
import type { Statement } from './statement.ts'
import { watchWrites } from './write-trouble.ts'

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
  /** Everything that `work` runs by its argument happens, or none of it. */
  transaction: <Result>(work: (queries: Transaction) => Promise<Result>) => Promise<Result>
  /** Several statements as one text, without values. */
  script: (sql: string) => Promise<void>
  /** How many connections there are, how many of them rest, and how much work waits for one. */
  connections: () => { open: number; idle: number; waiting: number }
  /** Rejects while the server can't be reached, or answers and can't write: its disk is full, or it is a standby. */
  check: () => Promise<void>
  close: () => Promise<void>
}

/** No statement of the service takes near this long; one that does has lost its server. */
const QUERY_TIMEOUT_MS = 10_000

/** A step of the schema may go through a big table. */
const SCRIPT_TIMEOUT_MS = 3_600_000

const ping = statement({ name: 'ping', values: {}, columns: { one: integer }, sql: 'SELECT 1 AS one' })

/** What PostgreSQL and its distributed relatives answer when a transaction must simply be run again. */
const RUN_AGAIN = new Set(['40001', '40P01'])
const MOST_RUNS = 5

// Counts and cents fit a double exactly (amounts end at 9,999,999.99), so int8 need not stay text.
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

interface PoolSettings {
  connectionString: string
  /** Connections at most. */
  connections: number
  onIdleError: (error: Error) => void
}

/**
 * A pool of connections to a PostgreSQL server, or to one that speaks like it. `onIdleError` is called for a connection that is
 * lost while it rests, until `close` is called.
 */
export function createDatabase({ connectionString, connections, onIdleError }: PoolSettings): Database {
  forgetPostgresVariables()
  const pool = new pg.Pool({
    connectionString,
    max: connections,
    types,
    connectionTimeoutMillis: 5000,
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: QUERY_TIMEOUT_MS,
  })
  pool.on('error', (error) => {
    // `close` does not wait for the server to take leave of each connection; one that stops in that moment breaks it off.
    if (!pool.ending) onIdleError(error)
  })
  const trouble = watchWrites((work) => inTransaction(pool, work), monotonicClock)
  const noted = <Result>(run: () => Promise<Result>) =>
    again(() =>
      run().catch((error: unknown) => {
        trouble.note(error)
        throw error
      }),
    )
  return {
    run: (asked, values) => noted(() => runOn(pool, asked, values)),
    transaction: (work) => noted(() => inTransaction(pool, work)),
    script: async (sql) => {
      await pool.query(sql)
    },
    async check() {
      await again(() => runOn(pool, ping, {}))
      await trouble.check()
    },
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

async function runOn<Values, Row extends object>(
  connection: pg.Pool | pg.PoolClient,
  { name, text, toParameters }: Statement<Values, Row>,
  values: Values,
): Promise<Row[]> {
  const { rows } = await connection.query<Row>({ name, text, values: toParameters(values) })
  return rows
}

async function inTransaction<Result>(
  pool: pg.Pool,
  work: (queries: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken = false
  // Without a listener a connection that is lost here would end the process.
  const onLoss = () => (broken = true)
  client.on('error', onLoss)
  try {
    await client.query('BEGIN')
    const result = await work({
      run: (asked, values) => runOn(client, asked, values),
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

async function runScript(client: pg.PoolClient, sql: string): Promise<void> {
  await client.query(`SET LOCAL statement_timeout = ${SCRIPT_TIMEOUT_MS}`)
  const query = { text: sql, query_timeout: SCRIPT_TIMEOUT_MS }
  await client.query(query)
}

async function again<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let left = MOST_RUNS; ; left -= 1) {
    try {
      return await run()
    } catch (error) {
      if (isUnavailable(error)) throw unavailable(error)
      if (left <= 1 || !RUN_AGAIN.has(sqlStateOf(error))) throw error
    }
  }
}

/**
 * Codes of the system, and SQLSTATEs: 08, 28 and 3D000, no way in; 53 and 58, no memory, disk or connection left;
 * 57014, past the time that a statement may take; 57P0, shut down or starting; 25006, a standby, or what a fail-over
 * has made one.
 */
const LOST =
  /^(?:ECONN|ENOENT|ETIMEDOUT|EPIPE|EHOST|ENET|ENOTFOUND|EAI_AGAIN|08|25006|28|3D000|53|57014|57P0|58)/
const LOST_WORDS = /^(?:Connection terminated|timeout exceeded|Query read timeout|Client has encountered)/

/** Whether the server could not be reached, was lost on the way, or does no work just now. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return LOST.test(code) || LOST_WORDS.test(error.message)
}

function unavailable(cause: unknown): ServiceError {
  const words = 'The database can not be reached just now. Try again in a moment.'
  return new ServiceError('service_unavailable', words, { retryAfter: 2, cause })
}

/** Whether a statement failed because a row with the same value in this unique index is there already. */
export function isConflict(error: unknown, index: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === index
}

function sqlStateOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : ''
}
