import { doublingDelay } from '../../platform/doubling-delay.ts'
import { inTime } from '../../platform/in-time.ts'
import type { FairPool } from '../../platform/concurrency/fairness.ts'
import type { Task } from '../../platform/concurrency/fairness.ts'
import { callBatcher } from '../../platform/concurrency/loading.ts'
import type { PaymentNetwork, PaymentOutcome } from '../payment-network/payment-network.ts'
import { decideMove } from './agreement.ts'
import { dayAt } from './calendar.ts'
import { recordLocked } from './decisions.ts'
import type { AgreementsDeps } from './deps.ts'
import {
  askLater,
  findWaiting,
  lockEnding,
  markProcessing,
  recordOutcomes,
  takeUnanswered,
} from './payment-sending-store.ts'
import type { TakenPayment, WaitingPayment } from './payment-sending-store.ts'
import type { PaymentResult } from './payment.ts'

/** The delays between questions for the outcome of a payment. */
const QUESTIONS = { firstMs: 2000, longestMs: 3_600_000 }
/** Outcomes that are recorded together, at most. */
const MAX_TOGETHER = 200
/** How long to wait for running calls before more are started beside them. */
const ROUND_MS = 25
/** How long to wait, while no waiting payment may start, before looking for others. */
const LOOK_AGAIN_MS = 200

type NetworkAnswer = Awaited<ReturnType<PaymentNetwork['outcomeOf']>>

/**
 * Gives payments to the network and records their outcomes; any number of processes may do so at once.
 *
 * 1. Find payments that wait, and choose those that the pool has room for (`startWaiting`).
 * 2. Take them: from now on the network may have them (`markProcessing`, `takeUnanswered`).
 * 3. Ask the network, and record its answer or when to ask again (`note`).
 */
export function createPaymentSender(deps: AgreementsDeps, pool: FairPool) {
  const { database, network, createId } = deps
  const now = () => new Date(deps.timeOfDay.epochMs())
  const record = together((results: readonly PaymentResult[]) => recordResults(deps, results))
  const putOff = together((payments: readonly { paymentId: string; nextAt: Date }[]) =>
    askLater(database, payments),
  )

  /** Records an answer; true if the network has given one. */
  async function note(payment: TakenPayment, answer: NetworkAnswer): Promise<boolean> {
    const nextAt = new Date(deps.timeOfDay.epochMs() + doublingDelay(payment.attempts, QUESTIONS))
    if (isOutcome(answer) && answer.kind !== payment.status) {
      await record(toResult(payment.id, answer, nextAt))
    } else await putOff({ paymentId: payment.id, nextAt })
    return answer.kind !== 'unknown' && answer.kind !== 'unreachable'
  }

  function start(
    taken: readonly TakenPayment[],
    ask: (payment: TakenPayment, signal: AbortSignal) => Promise<NetworkAnswer>,
  ): void {
    for (const payment of taken)
      pool.start(toTask(payment), async (signal) => note(payment, await ask(payment, signal)))
  }

  return {
    /** Sends the payments that wait to be sent. */
    send: () =>
      startWaiting(
        pool,
        (room) => findWaiting(database, 'toSend', room, now()),
        async (ids) => {
          const payments = ids.map((id) => ({ id, eventId: createId() }))
          const taken = await markProcessing(database, payments, now())
          start(taken, (payment, signal) => network.pay(toOrder(payment), signal))
        },
      ),
    /** Asks for the outcome of payments that were sent. One that the network has not received is sent again. */
    askForOutcomes: () =>
      startWaiting(
        pool,
        (room) => findWaiting(database, 'unanswered', room, now()),
        async (ids) => {
          start(await takeUnanswered(database, ids, now()), async (payment, signal) => {
            const answer = await network.outcomeOf(payment.id, signal)
            return answer.kind === 'not_received' ? network.pay(toOrder(payment), signal) : answer
          })
        },
      ),
  }
}

/** Starts as many waiting payments as the pool has room for, in rounds, until none waits. */
async function startWaiting(
  pool: FairPool,
  find: (room: number) => Promise<WaitingPayment[]>,
  start: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  let found: Task[] = []
  for (;;) {
    const room = pool.capacity().max
    if (found.length < room) found = (await find(room)).map(toTask)
    if (found.length === 0) return
    const chosen = pool.choose(found)
    if (chosen.length > 0) {
      // The rest stay candidates for the next round.
      found = found.filter((task) => !chosen.includes(task))
      await start(chosen.map(({ id }) => id))
    } else {
      // Their shares are used up: look for others instead.
      found = []
      await pool.untilEnded(1, LOOK_AGAIN_MS)
    }
    await inTime(pool.finish(), ROUND_MS, () => undefined)
  }
}

/** Records outcomes of payments, and lets agreements expire whose last payment has settled, in one transaction. */
async function recordResults(deps: AgreementsDeps, results: readonly PaymentResult[]): Promise<void> {
  const { database, createId, timeOfDay } = deps
  const at = new Date(timeOfDay.epochMs())
  await database.transaction(async (queries) => {
    const withEvents = results.map((result) => ({ ...result, eventId: createId() }))
    const recorded = await recordOutcomes(queries, withEvents, at)
    const settled = recorded.filter(({ status }) => status === 'settled')
    for (const agreement of await lockEnding(queries, settled)) {
      const expiry = decideMove(agreement, { action: 'expire', by: 'service', day: dayAt(at.getTime()) })
      await recordLocked(queries, deps, agreement, expiry)
    }
  })
}

/** Handles one thing at a time; what comes during a run is handled together in the next. */
function together<Thing>(doAll: (things: readonly Thing[]) => Promise<void>) {
  return callBatcher(MAX_TOGETHER, async (things: readonly Thing[]) => {
    await doAll(things)
    return () => undefined
  })
}

function isOutcome(answer: NetworkAnswer): answer is PaymentOutcome {
  return answer.kind === 'settled' || answer.kind === 'failed' || answer.kind === 'under_investigation'
}

function toResult(paymentId: string, outcome: PaymentOutcome, nextAt: Date): PaymentResult {
  const { kind: status, reference } = outcome
  const failure = outcome.kind === 'failed' ? { code: outcome.code, message: outcome.message } : null
  return { paymentId, status, failure, reference, nextAt: status === 'under_investigation' ? nextAt : null }
}

function toOrder({ id, agreementId, amount, reference, description }: TakenPayment) {
  return { paymentId: id, agreementId, amount, reference, description }
}

/** A merchant is one target for all its payments, so that a call that hangs slows down no other merchant. */
function toTask({ id, merchantId }: WaitingPayment): Task {
  return { id, merchantId, targetId: merchantId }
}
