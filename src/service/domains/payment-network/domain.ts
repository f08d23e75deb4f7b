import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import { noNetwork } from './payment-network.ts'
import type { PaymentNetwork, NoAnswer } from './payment-network.ts'
import { addBankRoutes } from './sandbox/bank-routes.ts'
import { createLedger } from './sandbox/payment-ledger.ts'
import { collectNotices, followInstruction, openMandate } from './sandbox/bank.ts'
import type { BankDeps } from './sandbox/bank.ts'
import { forgetNotices } from './sandbox/mandate-store.ts'
import { scenarioOf } from './sandbox/payer-scenarios.ts'
import type { Ledger } from './sandbox/payment-ledger.ts'
import { inTime } from '../../platform/in-time.ts'

interface Options {
  /** The adapter of this installation, in place of the sandbox. */
  adapter?: PaymentNetwork | undefined
  /** The longest wait for one answer of the network, in ms. */
  timeoutMs?: number | undefined
}

const TIMEOUT_MS = 10_000

/** The network that agreements are paid by. Production has no sandbox: without an adapter it reaches no network. */
export function networkDomain(
  platform: Platform,
  { adapter, timeoutMs = TIMEOUT_MS }: Options,
): Domain<PaymentNetwork> {
  const { config, database, createId, timeOfDay, log, metrics } = platform
  const bank = { database, createId, epochMs: timeOfDay.epochMs }
  const ledger = createLedger(database, timeOfDay.epochMs)
  const sandbox = createSandboxNetwork(bank, ledger)
  const network = adapter ?? (config.environment === 'production_svc' ? noNetwork : sandbox)
  const api = timedNetwork(network, {
    timeoutMs,
    startTimer: metrics.timeNetworkCall,
    onFault: (error) => log.error({ err: error }, 'the payment network has failed'),
  })
  return {
    api,
    addRoutes: config.environment === 'sandbox' ? (app) => addBankRoutes(app, bank, ledger) : noRoutes,
    jobs: [],
    // An installation without a network takes no agreements, and is well without one.
    checks: network === noNetwork ? {} : { network: api.check },
  }
}

/** A network with books of its own, whose payers behave by their PayIDs and account numbers (contract §6.8). */
export function createSandboxNetwork(deps: BankDeps, ledger: Ledger): PaymentNetwork {
  const { database, createId } = deps
  return {
    resolve(debtor) {
      const { found } = scenarioOf(debtor)
      const name = 'payId' in debtor ? 'Sandbox Payer' : null
      return Promise.resolve(found === 'found' ? { kind: found, name } : { kind: found })
    },
    instruct: (instruction) =>
      instruction.kind === 'create' ? openMandate(deps, instruction) : followInstruction(deps, instruction),
    notices: (max) => collectNotices(deps, max),
    acknowledge: (noticeIds) => forgetNotices(database, noticeIds),
    async pay(order) {
      const { outcome, isHeard } = await ledger.enter({ order, networkReference: createId() })
      return isHeard ? outcome : { kind: 'unknown' }
    },
    outcomeOf: async (paymentId) => (await ledger.outcomeOf(paymentId)) ?? { kind: 'not_received' },
    check: () => database.check(),
  }
}

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
