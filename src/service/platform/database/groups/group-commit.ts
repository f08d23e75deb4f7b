import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { runStatement } from '../statement.ts'
import type { Statement } from '../statement.ts'
import { createLane } from './lane.ts'
import type { Lane, Waiting } from './lane.ts'

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
  /** A read: who asks the same before it is sent shares the answer, so that nobody's is older than their question. */
  read: Queries['run']
}

interface GroupCommit extends GroupedQueries {
  connections: () => { open: number; idle: number; waiting: number }
  /** Waits for the statements that have come, also for those that are run alone. */
  close: () => Promise<void>
}

interface Settings {
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
export function createGroupCommit({ alone, ...settings }: Settings): GroupCommit {
  const waiting: Waiting[] = []
  const lanes = Array.from({ length: LANES }, () => createLane(settings))
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
      return ofStatement(asked, reading)
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

/** A question has the name of its statement, and so the rows of it. */
function ofStatement<Row extends object>(
  asked: Statement<never, Row>,
  rows: Promise<object[]>,
): Promise<Row[]>
function ofStatement(_asked: unknown, rows: Promise<object[]>): Promise<object[]> {
  return rows
}
