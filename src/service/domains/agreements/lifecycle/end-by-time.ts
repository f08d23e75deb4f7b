import type { TimeOfDay } from '../../../platform/clocks.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import { toAgreement } from '../agreement-row.ts'
import type { Agreement } from '../agreement.ts'
import { findOver, findUnamended, findUnanswered } from '../statements/ending-sql.ts'
import { dayAt } from '../terms/day.ts'
import type { Decision } from './decision.ts'
import type { InstructionStore } from './instruction-store.ts'
import { moved, skippedBefore } from './move.ts'
import type { RecordDecisions } from './record-decisions.ts'

const BATCH = 100
const MAX_BATCHES = 50

interface Parts {
  database: Pick<Database, 'run'>
  /** Reads what debtors have answered; false when there may be more. */
  receiveNotices: () => Promise<boolean>
  instructions: Pick<InstructionStore, 'withdrawAmendment'>
  recordDecisions: RecordDecisions
  createId: CreateId
  timeOfDay: TimeOfDay
}

/**
 * Ends agreements by time: what got no answer lapses, what is over expires. An amendment that got none is withdrawn: it lapses once the
 * bank has taken it back (contract §6.4).
 */
export function createEndByTime({ database, receiveNotices, ...parts }: Parts): () => Promise<void> {
  const { instructions, recordDecisions, createId, timeOfDay } = parts
  const now = () => new Date(timeOfDay.epochMs())
  const today = () => dayAt(timeOfDay.epochMs())
  const lapsed = (one: Agreement) => moved(one, { action: 'lapse', by: 'service', day: today() })
  const expired = (one: Agreement) => [
    ...skippedBefore(one, today()),
    ...moved(one, { action: 'expire', by: 'service', day: today() }),
  ]
  const record = (decide: (one: Agreement) => Decision[]) => (one: Agreement) =>
    recordDecisions(one, decide(one))
  const withdraw = (one: Agreement) => instructions.withdrawAmendment(one, createId(), now())
  const inBatches = async (find: () => Promise<Agreement[]>, end: (one: Agreement) => Promise<unknown>) => {
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const found = await find()
      // Whoever was faster has changed it: it is looked at again by the next run.
      await Promise.all(found.map(end))
      if (found.length < BATCH) return
    }
  }
  return async () => {
    const find = (statement: typeof findUnanswered | typeof findUnamended) => async () =>
      (await database.run(statement, { now: now(), most: BATCH })).map(toAgreement)
    await inBatches(
      async () => (await database.run(findOver, { today: today(), most: BATCH })).map(toAgreement),
      record(expired),
    )
    // A debtor may have answered in time while the service was down.
    if (!(await receiveNotices())) return
    await inBatches(find(findUnanswered), record(lapsed))
    await inBatches(find(findUnamended), withdraw)
  }
}
