import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import { noNetwork } from './payment-network.ts'
import type { PaymentNetwork } from './payment-network.ts'
import { addBankRoutes } from './sandbox/bank-routes.ts'
import { createLedger } from './sandbox/payment-ledger.ts'
import { collectNotices, followInstruction, openMandate } from './sandbox/bank.ts'
import type { BankDeps } from './sandbox/bank.ts'
import { forgetNotices } from './sandbox/mandate-store.ts'
import { scenarioOf } from './sandbox/payer-scenarios.ts'
import type { Ledger } from './sandbox/payment-ledger.ts'
import { timedNetwork } from './timed-network.ts'

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
