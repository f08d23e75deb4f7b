import type { TimeOfDay } from '../../../../platform/clocks.ts'
import { doublingDelay } from '../../../../platform/doubling-delay.ts'
import { inTime } from '../../../../platform/in-time.ts'
import { callBatcher } from '../../../../platform/concurrency/loading.ts'
import type { FairPool, Task } from '../../../../platform/concurrency/fairness.ts'
import type { PaymentNetwork, PaymentOutcome } from '../../../payment-network/payment-network.ts'
import type { Result, SendingStore, TakenPayment, WaitingPayment } from './sending-store.ts'

interface Parts {
  store: SendingStore
  network: Pick<PaymentNetwork, 'pay' | 'outcomeOf'>
  pool: FairPool
  /** Records what became of payments, in one transaction with what follows from it. */
  recordAll: (results: readonly Result[]) => Promise<unknown>
  timeOfDay: TimeOfDay
}

/** Gives payments to the network and learns what became of them, at any number of processes at once. */
export interface Sending {
  /** Sends what waits to be sent. */
  send: () => Promise<void>
  /** Asks for the outcome of payments that were sent. */
  askForOutcomes: () => Promise<void>
  finish: () => Promise<void>
  abort: () => void
}

type Answer = Awaited<ReturnType<PaymentNetwork['outcomeOf']>>

/** Pauses between questions for the outcome of a payment. */
const QUESTIONS = { firstMs: 2000, longestMs: 3_600_000 }
/** Outcomes that are recorded together, at most. */
const MAX_TOGETHER = 200
/** How long to wait for running calls before more are started beside them. */
const ROUND_MS = 25
/** How long to wait, while no waiting payment may start, before looking for others. */
const LOOK_AGAIN_MS = 200

export function createSending(parts: Parts): Sending {
  const { store, network, pool, recordAll, timeOfDay } = parts
  const record = together(recordAll)
  const askLater = together(store.askLater)
  const now = () => new Date(timeOfDay.epochMs())

  /** Starts as many waiting payments as the pool has room for, in rounds, until none waits. */
  async function startWaiting(
    find: SendingStore['findToSend'],
    take: SendingStore['markProcessing'],
    ask: (payment: TakenPayment, signal: AbortSignal) => Promise<Answer>,
  ): Promise<void> {
    let found: Task[] = []
    for (;;) {
      const room = pool.capacity().max
      if (found.length < room) found = (await find(room, now())).map(toTask)
      if (found.length === 0) return
      const chosen = pool.choose(found)
      const ids = chosen.map(({ id }) => id)
      // The rest stay candidates for the next round. If none could start, their shares are used up: look for others instead.
      found = ids.length === 0 ? [] : found.filter((task) => !chosen.includes(task))
      for (const payment of ids.length === 0 ? [] : await take(ids, now())) {
        pool.start(toTask(payment), async (signal) => note(payment, await ask(payment, signal)))
      }
      if (ids.length === 0) await pool.untilEnded(1, LOOK_AGAIN_MS)
      await inTime(pool.finish(), ROUND_MS, () => undefined)
    }
  }

  /** True when the network has answered. */
  async function note(payment: TakenPayment, answer: Answer): Promise<boolean> {
    const nextAt = new Date(timeOfDay.epochMs() + doublingDelay(payment.attempts, QUESTIONS))
    const isKnown = answer.kind !== 'unknown' && answer.kind !== 'unreachable'
    if (isOutcome(answer) && answer.kind !== payment.status) {
      await record(toResult(payment.id, answer, nextAt))
    } else await askLater({ paymentId: payment.id, nextAt })
    return isKnown
  }

  async function askOrPay(payment: TakenPayment, signal: AbortSignal): Promise<Answer> {
    const answer = await network.outcomeOf(payment.id, signal)
    return answer.kind === 'not_received' ? network.pay(toOrder(payment), signal) : answer
  }

  return {
    send: () =>
      startWaiting(store.findToSend, store.markProcessing, (payment, signal) =>
        network.pay(toOrder(payment), signal),
      ),
    askForOutcomes: () => startWaiting(store.findUnanswered, store.takeUnanswered, askOrPay),
    finish: pool.finish,
    abort: pool.abort,
  }
}

/** Takes one at a time; those that come during a run are handled together in the next. */
function together<Thing>(doAll: (things: readonly Thing[]) => Promise<unknown>) {
  return callBatcher(MAX_TOGETHER, async (things: readonly Thing[]) => {
    await doAll(things)
    return () => undefined
  })
}

function isOutcome(answer: Answer): answer is PaymentOutcome {
  return answer.kind === 'settled' || answer.kind === 'failed' || answer.kind === 'under_investigation'
}

function toResult(paymentId: string, outcome: PaymentOutcome, nextAt: Date): Result {
  const { kind: status, reference } = outcome
  const failure = outcome.kind === 'failed' ? { code: outcome.code, message: outcome.message } : null
  return { paymentId, status, failure, reference, nextAt: status === 'under_investigation' ? nextAt : null }
}

function toOrder({ id, agreementId, amount, reference, description }: TakenPayment) {
  return { paymentId: id, agreementId, amount, reference, description }
}

/** All payments of a merchant are one target: a merchant has its share, and one call that hangs slows down no other merchant. */
function toTask({ id, merchantId }: WaitingPayment): Task {
  return { id, merchantId, targetId: merchantId }
}
