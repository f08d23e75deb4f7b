import type { Debtor } from '../../../../../contract/api/agreements/agreement-party.ts'
import { monotonicClock } from '../../../../platform/clocks.ts'
import { startDatabaseClock } from '../../../../platform/database/database-clock.ts'
import type { Database } from '../../../../platform/database/database.ts'
import { createIds } from '../../../../platform/identifiers.ts'
import { createMigratedDatabase } from '../../../../testing/test-database.ts'
import type { DebtorAnswer } from '../../payment-network.ts'
import type { NetworkBed } from '../../testing/network-bed.ts'
import { createLedger } from '../payment-ledger.ts'
import type { Ledger } from '../payment-ledger.ts'
import { answerAsPayer } from '../bank.ts'
import { findMandate } from '../mandate-store.ts'
import { createSandboxNetwork } from '../../domain.ts'

/** A debtor of the sandbox by the name in its PayID, such as `approve`. */
export const debtorNamed = (name: string): Debtor => ({
  name: 'Grace Hopper',
  type: 'person',
  pay_id: { type: 'EMAIL', value: `${name}@sandbox.example` },
})

export interface SandboxNetworkBed extends NetworkBed {
  ledger: Ledger
  database: Database
  /** Lets time go on, in ms. */
  pass: (ms: number) => void
}

/** The sandbox network on a database, its ledger, and its payers; `epochMs` is its time of day. */
export function sandboxOn(database: Database, epochMs: () => number) {
  const deps = { database, createId: createIds({ epochMs }), epochMs }
  const ledger = createLedger(database, epochMs)
  return {
    network: createSandboxNetwork(deps, ledger),
    ledger,
    payer: {
      answer: (agreementId: string, given: DebtorAnswer) => answerAsPayer(deps, agreementId, given),
      mandateOf: (agreementId: string) => findMandate(database, agreementId),
    },
  }
}

/** The sandbox network on a database of its own, whose time a test moves. */
export async function openSandboxNetworkBed(): Promise<SandboxNetworkBed> {
  const database = await createMigratedDatabase()
  const clock = await startDatabaseClock(database, monotonicClock)
  let passed = 0
  const { network, ledger, payer } = sandboxOn(database, () => clock.epochMs() + passed)
  return {
    network,
    ledger,
    database,
    pass: (ms) => (passed += ms),
    debtors: {
      waits: debtorNamed('grace'),
      unknown: debtorNamed('unknown'),
      unreachable: debtorNamed('unreachable'),
      losesAnswers: debtorNamed('late'),
      lacksFunds: debtorNamed('insufficient'),
      investigates: debtorNamed('investigate'),
    },
    async answerAs(agreementId, given) {
      const decision = await payer.answer(agreementId, given)
      if (decision?.mandate == null) throw new Error(decision?.refusal ?? 'there is no such mandate')
    },
    async booksOf(agreementId) {
      const entries = await ledger.paymentsOf(agreementId, 1000)
      return entries.map(({ paymentId, amount, outcome }) => ({ paymentId, amount, outcome: outcome.kind }))
    },
    close: () => database.close(),
  }
}
