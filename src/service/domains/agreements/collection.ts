import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queries } from '../../platform/database/database.ts'
import { PUT_RIGHT_MS, isSteady } from '../../platform/jobs/when-steady.ts'
import type { Agreement, Decision } from './agreement.ts'
import { addDays, dayAt } from './calendar.ts'
import type { Day } from './calendar.ts'
import { recordLocked } from './decisions.ts'
import type { AgreementsDeps } from './deps.ts'
import { isAnyDue, lockDue, moveDueDays } from './due-store.ts'
import { addPayments, tallyPayments } from './payment-store.ts'
import { amountDue, isLastOn, paymentRefusalOf } from './payment.ts'
import type { NewPayment, ProposedPayment, PaymentCounts } from './payment.ts'
import { nextDueDay } from './terms.ts'

/** The pause between two transactions: it leaves time for requests, and to send the payments. */
const PAUSE_MS = 100
/** Agreements of one transaction: few enough that requests do not wait long for it. */
const BATCH = 100
/** How many days late a due day is still made up for (contract §6.5). */
const MAX_DAYS_LATE = 5

/**
 * Collects the payments that are due, each due day once, batch by batch until none is left; any number of processes may do so at once.
 * `collectSome` takes a batch of due days and returns how many they were.
 */
export function createCollector(collectSome: () => Promise<number>) {
  let isStopped = false
  let running: Promise<void> | undefined
  async function collectAll(): Promise<void> {
    while (!isStopped && (await collectSome()) > 0) await sleep(PAUSE_MS)
  }
  return {
    /** A call that comes during a run waits for that run. */
    work: () => (running ??= collectAll().finally(() => (running = undefined))),
    abort() {
      isStopped = true
    },
  }
}

/**
 * Takes one due day of each of some agreements, in one transaction, and returns how many. It trusts the database's clock only once it
 * has not stepped for a while.
 */
export async function collectBatch(deps: AgreementsDeps): Promise<number> {
  const { database, timeOfDay } = deps
  if (!(await isAnyDue(database, dayAt(timeOfDay.epochMs())))) return 0
  if (!(await isSteady(timeOfDay, PUT_RIGHT_MS))) return 0
  return database.transaction((queries) => collectIn(queries, deps))
}

async function collectIn(queries: Queries, deps: AgreementsDeps): Promise<number> {
  const now = new Date(deps.timeOfDay.epochMs())
  const today = dayAt(now.getTime())
  const due = await lockDue(queries, today, BATCH)
  if (due.length === 0) return 0
  const tallyOf = await tallyPayments(queries, due)
  const payments: NewPayment[] = []
  const moves: { agreementId: string; done: Day; next: Day | null }[] = []
  const skips: { agreement: Agreement; decision: Decision }[] = []
  for (const { agreement, day } of due) {
    const decided = decideCollection(agreement, day, tallyOf(agreement), today)
    if (decided.kind === 'skip') skips.push({ agreement, decision: decided.decision })
    else {
      payments.push(toPayment(agreement, decided.proposed, deps.createId()))
      moves.push({ agreementId: agreement.id, done: day, next: decided.next })
    }
  }
  await addPayments(queries, payments, 'service', now)
  await moveDueDays(queries, moves, now)
  for (const { agreement, decision } of skips) await recordLocked(queries, deps, agreement, [decision])
  return due.length
}

/** The outcome of a due day: a payment and the next due day, or none, for a reason that the history shows. */
type Collection =
  | { kind: 'collect'; proposed: ProposedPayment; next: Day | null }
  | { kind: 'skip'; decision: Decision }

/** Decides on a due day that has come, by the rules for the merchant's own payments. */
function decideCollection(agreement: Agreement, due: Day, tally: PaymentCounts, today: Day): Collection {
  const oldest = addDays(today, -MAX_DAYS_LATE)
  if (due < oldest) {
    const done = addDays(oldest, -1)
    const why = `Nothing was collected from ${due} to ${done}: that is more than ${String(MAX_DAYS_LATE)} days ago.`
    return skip(agreement, done, why)
  }
  const isLast = isLastOn(agreement, due)
  const amount = amountDue(agreement, { isLast }, tally)?.amount
  if (amount === undefined) return skip(agreement, due, 'The terms have no amount to collect.')
  const proposed = { amount, day: due, isLast }
  const refusal = paymentRefusalOf(agreement, proposed, tally)
  if (refusal !== null) return skip(agreement, due, `Nothing was collected for ${due}. ${refusal.message}`)
  return { kind: 'collect', proposed, next: nextDueDay(agreement, due) }
}

/** Skips due days up to `done`; the history says why. */
function skip(agreement: Agreement, done: Day, why: string): Collection {
  const decision = {
    type: 'collection_skipped',
    by: 'service',
    reason: { code: 'not_specified', text: why },
    facts: { nextDueOn: nextDueDay(agreement, done), dueDaysDoneUntil: done },
    instruction: null,
  } as const
  return { kind: 'skip', decision }
}

function toPayment(
  agreement: Agreement,
  { amount, day, isLast }: ProposedPayment,
  eventId: string,
): NewPayment {
  return {
    id: idOfDueDay(agreement.id, day),
    agreementId: agreement.id,
    merchantId: agreement.merchantId,
    agreementVersion: agreement.version,
    agreementRevision: agreement.revision,
    amount,
    reference: agreement.reference ?? agreement.id,
    description: null,
    isLast,
    dueOn: day,
    countsOn: day,
    idempotentRequest: null,
    eventId,
  }
}

/**
 * The id of a due day's payment: 24 hex characters that sort by the day. It follows from the agreement and the day alone. So a service
 * whose database was restored from before the day sends the payment again under the id that the network knows, and nobody pays twice.
 */
function idOfDueDay(agreementId: string, due: Day): string {
  const seconds = (Date.parse(`${due}T00:00:00Z`) / 1000).toString(16).padStart(8, '0')
  const rest = createHash('sha256').update(`due day ${agreementId} ${due}`).digest('hex')
  return seconds + rest.slice(0, 16)
}
