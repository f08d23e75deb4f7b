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
      if (error !== null && !canGoOn(error)) giveUp(client)
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

/** SQLSTATEs: a prepared statement is gone, is there although it was not prepared, or no longer fits its tables. */
const NOT_AS_PREPARED = new Set(['26000', '42P05', '0A000'])

/**
 * Whether a server has refused something and the next group can go by the same connection. After anything else it may still wait for
 * the rest of a group, or would refuse the same statement for ever.
 */
function canGoOn(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  return !isUnavailable(error) && !NOT_AS_PREPARED.has(error.code ?? '')
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
  await commit.then(
    ({ command }) => {
      for (const one of group) {
        if (command === 'COMMIT') one.answer()
        else one.runAlone()
      }
    },
    // Nobody knows what was kept. An earlier error would be told to others than the one whose fault it is.
    (unanswered: unknown) => failAll(group, unanswered),
  )
  return error
}
