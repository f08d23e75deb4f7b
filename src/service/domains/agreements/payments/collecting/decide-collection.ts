import type { Agreement } from '../../agreement.ts'
import { nextDueDay } from '../../terms/due-days.ts'
import type { Day } from '../../terms/day.ts'
import { addDays } from '../../terms/day.ts'
import { amountDue, isLastOn, refusalOf } from '../decide-payment.ts'
import type { ProposedPayment, Tally } from '../decide-payment.ts'

/** How many days late a due day is still made up for (contract §6.5). */
const MAX_DAYS_LATE = 5

/**
 * The outcome of a due day: a payment, or none, for a reason that the history shows. `next`: the next due day. `done`: the last
 * day of those that are skipped.
 */
export type Collection =
  | { kind: 'collect'; proposed: ProposedPayment; next: Day | null }
  | { kind: 'skip'; why: string; next: Day | null; done: Day }

/** Decides on an agreement's due day that has come, by the rules that hold for the merchant's payments. */
export function decideCollection(agreement: Agreement, due: Day, tally: Tally, today: Day): Collection {
  const oldest = addDays(today, -MAX_DAYS_LATE)
  if (due < oldest) {
    const why = `Nothing was collected from ${due} to ${addDays(oldest, -1)}: that is more than ${String(MAX_DAYS_LATE)} days ago.`
    const done = addDays(oldest, -1)
    return { kind: 'skip', why, next: nextDueDay(agreement, done), done }
  }
  const next = nextDueDay(agreement, due)
  const isLast = isLastOn(agreement, due)
  const amount = amountDue(agreement, { isLast }, tally)?.amount
  if (amount === undefined)
    return { kind: 'skip', why: 'The terms have no amount to collect.', next, done: due }
  const proposed = { amount, day: due, isLast }
  const refusal = refusalOf(agreement, proposed, tally)
  return refusal === null
    ? { kind: 'collect', proposed, next }
    : { kind: 'skip', why: `Nothing was collected for ${due}. ${refusal.message}`, next, done: due }
}
