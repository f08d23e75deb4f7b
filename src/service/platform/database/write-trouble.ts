import { randomBytes } from 'node:crypto'
import type { MonotonicClock } from '../clocks.ts'
import { statement } from './statement.ts'
import type { Statement } from './statement.ts'

/** SQLSTATEs of a server that answers and can't keep anything: 25006, read-only; 53100, disk full; 58030, a failing disk. */
const CAN_NOT_WRITE = new Set(['25006', '53100', '58030'])

/** How long the result of a trial write is relied on, in ms. */
const BELIEVED_MS = 2000

/** Remembers that the server could not write, until it can again. */
export interface WriteTrouble {
  /** Called with every statement that failed. */
  note: (error: unknown) => void
  /** Rejects while the server can't write. Costs nothing unless a write has failed. */
  check: () => Promise<void>
}

interface Queries {
  run: (statement: Statement<object, object>, values: object) => Promise<unknown>
}

/** `transaction` runs a trial write, which leaves nothing behind. */
export function watchWrites(
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
