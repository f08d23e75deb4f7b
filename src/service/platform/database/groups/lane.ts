import pg from 'pg'
import { inTime } from '../../in-time.ts'
import { isUnavailable } from '../unavailable.ts'

/**
 * A group keeps the locks of all its rows until it commits. One that waits longer than this for a row may wait for a group that
 * waits for it, and is given up: then each of its statements is run alone.
 */
const BEGIN = "BEGIN; SET LOCAL lock_timeout = '50ms'"

const LONGEST_LEAVE_MS = 1000

/** A statement that waits for its group. */
export interface Waiting {
  /** Sends it; resolves when the server has run it, which is not yet kept. */
  send: (client: pg.Client) => Promise<unknown>
  /** Called when the group is committed: hands on what `send` came to. */
  answer: () => void
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

/** A connection, opened when it is needed and given up with the first sign that its server is lost. */
export function createLane({ open: openConnection, onIdleError }: Settings): Lane {
  let open: pg.Client | null = null
  let hasGroupUnderWay = false
  const giveUp = (client: pg.Client) => {
    if (open === client) open = null
    leave(client).catch(() => undefined)
  }
  const connect = async (): Promise<pg.Client> => {
    const client = await openConnection()
    client.on('error', (error) => {
      if (open === client && !hasGroupUnderWay) onIdleError(error)
      giveUp(client)
    })
    return (open = client)
  }
  const run = async (group: readonly Waiting[]) => {
    try {
      const client = open ?? (await connect())
      const error = await runGroup(client, group)
      if (error !== null && !isAnswerOfServer(error)) giveUp(client)
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
      const client = open
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

/**
 * Sends a group in one write, as a transaction, and answers every caller; resolves with what went wrong, or null. After a statement
 * that fails the server refuses the rest, and its answer to COMMIT is that it has rolled back.
 */
async function runGroup(client: pg.Client, group: readonly Waiting[]): Promise<unknown> {
  const { stream } = client.connection
  stream.cork()
  const sent = [client.query(BEGIN), ...group.map((one) => one.send(client))]
  const commit = client.query('COMMIT')
  stream.uncork()
  const outcomes = await Promise.allSettled([...sent, commit])
  const failed = outcomes.find(({ status }) => status === 'rejected')
  const error: unknown = failed?.status === 'rejected' ? failed.reason : null
  const end = await commit.then(
    ({ command }) => command,
    () => 'unknown',
  )
  if (end === 'COMMIT') for (const one of group) one.answer()
  else if (end === 'ROLLBACK') for (const one of group) one.runAlone()
  // Nobody knows what was kept.
  else failAll(group, error)
  return error
}
