import type { PaymentNetwork } from '../payment-network.ts'
import { collectNotices, followInstruction, openMandate } from './bank.ts'
import type { BankDeps } from './bank.ts'
import { forgetNotices } from './mandate-store.ts'
import { scenarioOf } from './payer-scenarios.ts'
import type { Ledger } from './payment-ledger.ts'

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
