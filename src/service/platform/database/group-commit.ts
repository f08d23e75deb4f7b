import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inTime } from '../in-time.ts'
import { runStatement } from './statement.ts'
import type { Statement } from './statement.ts'
import { isUnavailable } from './faults.ts'

/** Groups under way at once, each on a connection of its own: while one waits for the disk, the other works. */
const LANES = 2
/** Bounds how long the first of a group waits for the last. */
const MAX_IN_GROUP = 32
const CLOSING_LOOK_MS = 5

interface Queries {
  run: <Values, Row extends object>(
    statement: Statement<Values, Row>,
    values: NoInfer<Values>,
  ) => Promise<Row[]>
}

export interface GroupedQueries extends Queries {
  /** A read: callers that ask the same before it is sent share the answer, so no answer is older than its question. */
  read: Queries['run']
}

interface GroupCommit extends GroupedQueries {
  connections: () => { open: number; idle: number; waiting: number }
  /** Waits for the statements that have come, also for those that are run alone. */
  close: () => Promise<void>
}

interface GroupCommitOptions {
  /** Opens a connection for a lane, in `pg`'s pipeline mode. */
  open: () => Promise<pg.Client>
  /** For the statements of a group in which one has failed. */
  alone: Queries
  /** Called for a connection that is lost while it rests. */
  onIdleError: (error: Error) => void
}

/**
 * Runs statements of many callers together: those that come in one turn of the event loop, or while the lanes are busy, go to the
 * server at once and share a transaction, so one round trip and one commit. Nobody gets an answer before the commit. Where one
 * fails, nothing of its group is kept, and each is run by `alone`.
 *
 * For short statements that stand by themselves: each finds what it would have found alone, a moment earlier or later.
 */
export function createGroupCommit({ alone, ...connections }: GroupCommitOptions): GroupCommit {
  const waiting: Waiting[] = []
  const lanes = Array.from({ length: LANES }, () => createLane(connections))
  const idle = [...lanes]
  const unsentReads = new Map<string, Promise<object[]>>()
  let isCalled = false
  let isClosed = false
  let underWayAlone = 0
  const runAlone: Queries['run'] = (asked, values) => {
    underWayAlone += 1
    return alone.run(asked, values).finally(() => (underWayAlone -= 1))
  }
  const callLanes = () => {
    if (isCalled) return
    isCalled = true
    setImmediate(() => {
      isCalled = false
      while (waiting.length > 0) {
        const lane = idle.pop()
        if (lane === undefined) return
        unsentReads.clear()
        void lane.run(waiting.splice(0, MAX_IN_GROUP)).then(() => {
          idle.push(lane)
          callLanes()
        })
      }
    })
  }
  const run = <Values, Row extends object>(asked: Statement<Values, Row>, values: Values) =>
    new Promise<Row[]>((resolve, reject) => {
      if (isClosed) throw new Error('a statement came after the end')
      let rows: Promise<Row[]> = Promise.resolve([])
      waiting.push({
        send: (client) => (rows = runStatement(client, asked, values)),
        answer: () => resolve(rows),
        runAlone: () => void runAlone(asked, values).then(resolve, reject),
        fail: reject,
      })
      callLanes()
    })
  return {
    run,
    read(asked, values) {
      const question = `${asked.name} ${JSON.stringify(values)}`
      const reading = unsentReads.get(question) ?? run(asked, values)
      unsentReads.set(question, reading)
      return typedRows(asked, reading)
    },
    connections: () => {
      const openOf = (some: readonly Lane[]) => some.filter((lane) => lane.isOpen()).length
      return { open: openOf(lanes), idle: openOf(idle), waiting: waiting.length }
    },
    async close() {
      isClosed = true
      while (waiting.length > 0 || idle.length < lanes.length || underWayAlone > 0)
        await sleep(CLOSING_LOOK_MS)
      await Promise.all(lanes.map((lane) => lane.close()))
    },
  }
}

/** A question begins with the name of its statement, so its rows are of that statement's type. */
function typedRows<Row extends object>(asked: Statement<never, Row>, rows: Promise<object[]>): Promise<Row[]>
function typedRows(_asked: unknown, rows: Promise<object[]>): Promise<object[]> {
  return rows
}

/**
 * A group keeps the locks of all its rows until it commits. One that waits longer than this for a row may wait for a group that
 * waits for it, and is given up: then each of its statements is run alone.
 */
const BEGIN = "BEGIN; SET LOCAL lock_timeout = '50ms'"

const LONGEST_LEAVE_MS = 1000

/** A statement that waits for its group. */
interface Waiting {
  /** Sends it; resolves when the server has run it, before it is committed. */
  send: (client: pg.Client) => Promise<unknown>
  /** Called after the commit: gives the caller the result of `send`. */
  answer: () => void
  runAlone: () => void
  fail: (error: unknown) => void
}

interface Lane {
  /** Runs a group and answers its callers; never rejects. */
  run: (group: readonly Waiting[]) => Promise<void>
  isOpen: () => boolean
  /** Must not be called while a group is under way. A second at most, whatever the server does. */
  close: () => Promise<void>
}

/** A connection, opened when it is needed and given up with the first sign that its server is lost. */
function createLane({ open: openConnection, onIdleError }: Omit<GroupCommitOptions, 'alone'>): Lane {
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
    // Nobody knows what was committed. An earlier error is about one statement, so the other callers must not get it.
    (unanswered: unknown) => failAll(group, unanswered),
  )
  return error
}
