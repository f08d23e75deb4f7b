import pg from 'pg'
import { runStatement } from './run-statement.ts'
import type { Statement } from './statement.ts'
import { isUnavailable } from './unavailable.ts'

/** Groups under way at once, each on a connection of its own: while one waits for the disk, the other works. */
const LANES = 2

/** Fewer are quicker alone, side by side: a group has to begin and to commit, and each answer in it wakes this process once. */
const LEAST_IN_GROUP = 6
/** So many that the first of a group does not wait long for the last. */
const MOST_IN_GROUP = 32

/**
 * A group keeps the locks of all its rows until it commits. One that waits longer than this for a row may wait for a group that
 * waits for it, and is given up: then each of its statements is run alone.
 */
const BEGIN = "BEGIN; SET LOCAL lock_timeout = '50ms'"

interface Queries {
  run: <Values, Row extends object>(
    statement: Statement<Values, Row>,
    values: NoInfer<Values>,
  ) => Promise<Row[]>
}

interface GroupCommit extends Queries {
  connections: () => { open: number; idle: number; waiting: number }
  /** Waits for the groups that are under way. */
  close: () => Promise<void>
}

interface Settings {
  connection: pg.ClientConfig
  /** For statements that are no group. */
  alone: Queries
  /** Called for a connection that is lost while it rests. */
  onIdleError: (error: Error) => void
}

/** A statement that waits for its group. */
interface Waiting {
  /** Sends it; what it resolves with hands the rows to the caller. */
  send: (client: pg.Client) => Promise<() => void>
  runAlone: () => void
  fail: (error: unknown) => void
}

/**
 * Runs statements of many callers together: where many come in one turn of the event loop, or while the lanes are busy, they go to the
 * server at once and share a transaction, so one round trip and one commit. Nobody gets an answer before the commit. Where few
 * come, each is run by `alone`; so is each of a group in which one has failed, as nothing of such a group is kept.
 *
 * For short statements that stand by themselves: each finds what it would have found alone, a moment earlier or later.
 */
export function createGroupCommit({ alone, ...settings }: Settings): GroupCommit {
  const waiting: Waiting[] = []
  const lanes = Array.from({ length: LANES }, () => createLane(settings))
  const idle = [...lanes]
  let isCalled = false
  let isClosed = false
  const callLanes = () => {
    if (isCalled) return
    isCalled = true
    setImmediate(() => {
      isCalled = false
      while (waiting.length >= LEAST_IN_GROUP) {
        const lane = idle.pop()
        if (lane === undefined) return
        void lane.run(waiting.splice(0, MOST_IN_GROUP)).then(() => {
          idle.push(lane)
          callLanes()
        })
      }
      for (const one of waiting.splice(0)) one.runAlone()
    })
  }
  return {
    run: (asked, values) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new Error('a statement came after the end')
        waiting.push({
          async send(client) {
            const rows = await runStatement(client, asked, values)
            return () => resolve(rows)
          },
          runAlone: () => void alone.run(asked, values).then(resolve, reject),
          fail: reject,
        })
        callLanes()
      }),
    connections: () => {
      const open = lanes.filter((lane) => lane.isOpen())
      const resting = open.filter((lane) => idle.includes(lane))
      return { open: open.length, idle: resting.length, waiting: waiting.length }
    },
    async close() {
      isClosed = true
      await Promise.all(lanes.map((lane) => lane.close()))
    },
  }
}

interface Lane {
  /** Runs a group and answers its callers; never rejects. */
  run: (group: readonly Waiting[]) => Promise<void>
  isOpen: () => boolean
  close: () => Promise<void>
}

/** A connection, opened when it is needed and given up with the first sign that its server is lost. */
function createLane({ connection, onIdleError }: Omit<Settings, 'alone'>): Lane {
  let open: pg.Client | null = null
  let running: Promise<void> | null = null
  const giveUp = (client: pg.Client) => {
    if (open === client) open = null
    client.end().catch(() => undefined)
  }
  const connect = async () => {
    const client = new pg.Client({ ...connection, pipeline: true })
    client.on('error', (error) => {
      if (open === client && running === null) onIdleError(error)
      giveUp(client)
    })
    await client.connect()
    open = client
    return client
  }
  const run = async (group: readonly Waiting[]) => {
    const client = open ?? (await connect().catch((error: unknown) => failAll(group, error)))
    if (client === null) return
    const faults = await runGroup(client, group)
    if (faults.some(isUnavailable)) giveUp(client)
  }
  return {
    run: (group) => (running = run(group).finally(() => (running = null))),
    isOpen: () => open !== null,
    async close() {
      await running
      await open?.end()
      open = null
    },
  }
}

function failAll(group: readonly Waiting[], error: unknown): null {
  for (const one of group) one.fail(error)
  return null
}

/** Answers every caller; resolves with what went wrong. */
async function runGroup(client: pg.Client, group: readonly Waiting[]): Promise<unknown[]> {
  const { stream } = client.connection
  // One write for all of them.
  stream.cork()
  const begun = client.query(BEGIN)
  const sent = Promise.allSettled(group.map((one) => one.send(client)))
  const ended = client.query('COMMIT')
  stream.uncork()
  try {
    const [, { command }] = await Promise.all([begun, ended])
    const outcomes = await sent
    // PostgreSQL answers COMMIT with ROLLBACK where a statement before it has failed.
    if (command !== 'COMMIT') for (const one of group) one.runAlone()
    else for (const outcome of outcomes) if (outcome.status === 'fulfilled') outcome.value()
    return outcomes.flatMap((outcome): unknown[] => (outcome.status === 'rejected' ? [outcome.reason] : []))
  } catch (error) {
    // Nobody knows what was kept.
    failAll(group, error)
    return [error]
  }
}
