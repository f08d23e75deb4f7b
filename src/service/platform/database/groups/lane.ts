import pg from 'pg'
import { inTime } from '../../in-time.ts'
import { statement } from '../statement.ts'
import { text } from '../sql-types.ts'
import { isUnavailable } from '../unavailable.ts'
import { sendTogether } from './send-together.ts'
import type { Answer, Call, PreparedStatements } from './send-together.ts'

/**
 * A group keeps the locks of all its rows until it commits. One that waits longer than this for a row may wait for a group that
 * waits for it, and is given up: then each of its statements is run alone.
 */
const limitLockWaits = statement({
  name: 'limit_lock_waits',
  values: {},
  columns: { set_config: text },
  sql: "SELECT set_config('lock_timeout', '50ms', true)",
})

const LONGEST_LEAVE_MS = 1000

/** A statement that waits for its group. */
export interface Waiting {
  call: Call
  /** Called when the group is committed. */
  succeed: (answer: Answer) => void
  runAlone: () => void
  fail: (error: unknown) => void
}

export interface Lane {
  /** Runs a group and answers its callers; never rejects. */
  run: (group: readonly Waiting[]) => Promise<void>
  isOpen: () => boolean
  /** Must not be called while a group is under way. A second at most, whatever the server does. */
  close: () => Promise<void>
}

interface Settings {
  /** Opens a connection. */
  open: () => Promise<pg.Client>
  /** Called for a connection that is lost while it rests. */
  onIdleError: (error: Error) => void
}

interface Connection {
  client: pg.Client
  prepared: PreparedStatements
}

/** A connection, opened when it is needed and given up with the first sign that its server is lost. */
export function createLane({ open: openConnection, onIdleError }: Settings): Lane {
  let open: Connection | null = null
  let hasGroupUnderWay = false
  const giveUp = ({ client }: Connection) => {
    if (open?.client === client) open = null
    leave(client).catch(() => undefined)
  }
  const connect = async (): Promise<Connection> => {
    const connection = { client: await openConnection(), prepared: new Map() }
    connection.client.on('error', (error) => {
      if (open === connection && !hasGroupUnderWay) onIdleError(error)
      giveUp(connection)
    })
    return (open = connection)
  }
  const run = async (group: readonly Waiting[]) => {
    try {
      const connection = open ?? (await connect())
      const error = await runGroup(connection, group)
      if (error !== null && !isAnswerOfServer(error)) giveUp(connection)
    } catch (error) {
      failAll(group, error)
    }
  }
  return {
    async run(group) {
      hasGroupUnderWay = true
      await run(group)
      hasGroupUnderWay = false
    },
    isOpen: () => open !== null,
    async close() {
      if (open === null) return
      const { client } = open
      open = null
      await leave(client)
    },
  }
}

/** Does not wait for a server that keeps the connection open. */
async function leave(client: pg.Client): Promise<void> {
  await inTime(client.end(), LONGEST_LEAVE_MS, () => client.connection.stream.destroy())
}

/** Whether a server that can go on has refused something. After anything else it may still wait for the rest of a group. */
function isAnswerOfServer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isUnavailable(error)
}

function failAll(group: readonly Waiting[], error: unknown): void {
  for (const one of group) one.fail(error)
}

/** Answers every caller; resolves with what went wrong, or null. */
async function runGroup({ client, prepared }: Connection, group: readonly Waiting[]): Promise<unknown> {
  const calls = [{ ...limitLockWaits, values: [] }, ...group.map(({ call }) => call)]
  const outcome = await sendTogether(client, prepared, calls)
  if (outcome.kind === 'committed') {
    const [, ...answers] = outcome.answers
    for (const [at, answer] of answers.entries()) group[at]?.succeed(answer)
    return null
  }
  const { error, failedAt } = outcome
  const isRefused = error instanceof pg.DatabaseError && failedAt < calls.length
  // Of a group that it refused, a server that still answers has kept nothing. Else nobody knows what was kept.
  if (isRefused && (await isAnswering(client))) for (const one of group) one.runAlone()
  else failAll(group, error)
  return error
}

function isAnswering(client: pg.Client): Promise<boolean> {
  return client.query('').then(
    () => true,
    () => false,
  )
}
