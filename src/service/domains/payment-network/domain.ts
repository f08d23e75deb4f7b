import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import { noNetwork } from './payment-network.ts'
import type { PaymentNetwork } from './payment-network.ts'
import { addBankRoutes } from './sandbox/bank/bank-routes.ts'
import { createLedger } from './sandbox/ledger.ts'
import { createPayer } from './sandbox/payer.ts'
import { createSandboxNetwork } from './sandbox/sandbox-network.ts'
import { timedNetwork } from './timed-network.ts'

interface Needs {
  /** The adapter of this installation, in place of the sandbox. */
  adapter?: PaymentNetwork | undefined
  /** How long one answer of the network is waited for, in ms. */
  timeoutMs?: number | undefined
}

const TIMEOUT_MS = 10_000

/** The network that agreements are paid by. The sandbox is not used in production: without an adapter no network is reached. */
export function networkDomain(
  platform: Platform,
  { adapter, timeoutMs = TIMEOUT_MS }: Needs,
): Domain<PaymentNetwork> {
  const { config, database, createId, timeOfDay, log, metrics } = platform
  const { epochMs } = timeOfDay
  const ledger = createLedger(database, epochMs)
  const payer = createPayer({ database, createId, epochMs })
  const sandbox = createSandboxNetwork({ database, ledger, payer, createId, epochMs })
  const network = adapter ?? (config.environment === 'production_svc' ? noNetwork : sandbox)
  const api = timedNetwork(network, {
    timeoutMs,
    startTimer: metrics.timeNetworkCall,
    onFault: (error) => log.error({ err: error }, 'the payment network has failed'),
  })
  return {
    api,
    addRoutes: config.environment === 'sandbox' ? (app) => addBankRoutes(app, { payer, ledger }) : noRoutes,
    jobs: [],
    // An installation without a network takes no agreements, and is well without one.
    checks: network === noNetwork ? {} : { network: api.check },
  }
}
