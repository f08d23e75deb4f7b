import { skipDueDaysBefore, decideMove } from './agreement.ts'
import type { Agreement } from './agreement.ts'
import { dayAt } from './calendar.ts'
import { recordDecisions } from './decisions.ts'
import type { AgreementsDeps } from './deps.ts'
import { findOver, findUnamended, findUnanswered } from './due-store.ts'
import { withdrawAmendment } from './instruction-store.ts'

const BATCH = 100
const MAX_BATCHES = 50

/**
 * Ends agreements by time (contract §6.4): one without an answer lapses, one whose last day has passed expires. An amendment without an
 * answer is withdrawn; it lapses once the bank has withdrawn it. `hearDebtors` reads what debtors have answered; false if there may
 * be more.
 */
export async function endByTime(deps: AgreementsDeps, hearDebtors: () => Promise<boolean>): Promise<void> {
  const { database, createId, timeOfDay } = deps
  const now = () => new Date(timeOfDay.epochMs())
  const today = () => dayAt(timeOfDay.epochMs())
  await inBatches(
    () => findOver(database, today(), BATCH),
    (one) =>
      recordDecisions(deps, one, [
        ...skipDueDaysBefore(one, today()),
        ...decideMove(one, { action: 'expire', by: 'service', day: today() }),
      ]),
  )
  // A debtor may have answered in time while the service was down.
  if (!(await hearDebtors())) return
  await inBatches(
    () => findUnanswered(database, now(), BATCH),
    (one) => recordDecisions(deps, one, decideMove(one, { action: 'lapse', by: 'service', day: today() })),
  )
  await inBatches(
    () => findUnamended(database, now(), BATCH),
    (one) => withdrawAmendment(database, one, createId(), now()),
  )
}

async function inBatches(
  find: () => Promise<Agreement[]>,
  end: (one: Agreement) => Promise<unknown>,
): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const found = await find()
    // An agreement that somebody else has changed meanwhile is looked at again by the next run.
    await Promise.all(found.map(end))
    if (found.length < BATCH) return
  }
}
