import { inTime } from '../../platform/in-time.ts'
import type { NoAnswer, PaymentNetwork } from './payment-network.ts'

interface Timing {
  /** The longest wait for an answer, in ms. */
  timeoutMs: number
  /** Starts timing a call; the function that it returns takes the outcome's kind and ends it. */
  startTimer: (call: string) => (outcome: string) => void
  /** Called when an adapter rejects or does not answer in time. */
  onFault: (error: unknown) => void
}

/**
 * Wraps a network: times every call and ends it in time. A call that takes too long, or fails, is answered `unknown`; `notices`,
 * `acknowledge` and `check` reject.
 */
export function timedNetwork(
  network: PaymentNetwork,
  { timeoutMs, startTimer, onFault }: Timing,
): PaymentNetwork {
  /** One call, until it answers, its caller has stopped waiting, or its time is over. */
  async function timed<Answer>(
    call: string,
    ask: (signal: AbortSignal) => Promise<Answer>,
    outcomeOf: (answer: Answer) => string,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const stop = startTimer(call)
    const end = new AbortController()
    const late = () => {
      end.abort()
      throw new LateAnswer(call, timeoutMs)
    }
    try {
      const both = signal === undefined ? end.signal : AbortSignal.any([signal, end.signal])
      const answer = await inTime(ask(both), timeoutMs, late)
      stop(outcomeOf(answer))
      return answer
    } catch (error) {
      stop(error instanceof LateAnswer ? 'late' : 'fault')
      throw error
    }
  }

  /** A call for which a missing answer is a value, not an error. */
  async function answered<Answer extends { kind: string }>(
    call: string,
    ask: (signal: AbortSignal) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer | Extract<NoAnswer, { kind: 'unknown' }>> {
    try {
      return await timed(call, ask, ({ kind }) => kind, signal)
    } catch (error) {
      onFault(error)
      return { kind: 'unknown' }
    }
  }

  const done = () => 'done'
  return {
    resolve: (debtor, signal) => answered('resolve', (end) => network.resolve(debtor, end), signal),
    instruct: (instruction, signal) =>
      answered('instruct', (end) => network.instruct(instruction, end), signal),
    notices: (max, signal) => timed('notices', (end) => network.notices(max, end), done, signal),
    acknowledge: (ids, signal) => timed('acknowledge', (end) => network.acknowledge(ids, end), done, signal),
    pay: (order, signal) => answered('pay', (end) => network.pay(order, end), signal),
    outcomeOf: (paymentId, signal) => answered('inquiry', (end) => network.outcomeOf(paymentId, end), signal),
    check: () => timed('check', () => network.check(), done),
  }
}

class LateAnswer extends Error {
  constructor(call: string, timeoutMs: number) {
    super(`the payment network has not answered ${call} in ${timeoutMs} ms`)
    this.name = 'LateAnswer'
  }
}
