import pino from 'pino'
import type { Database } from '../../../platform/database/database.ts'
import { createIds } from '../../../platform/identifiers.ts'
import type { PaymentNetwork } from '../../payment-network/payment-network.ts'
import type { AgreementsDeps } from '../deps.ts'

/** What use cases need, on a clock that a test sets. Accounts are neither sealed nor opened. */
export function testDeps(
  { database, network }: { database: Database; network: PaymentNetwork },
  epochMs: () => number,
): AgreementsDeps {
  const timeOfDay = { epochMs, refresh: () => Promise.resolve(), msSinceStep: () => Infinity }
  const noVault = () => Promise.reject(new Error('this test has no vault'))
  return {
    database,
    network,
    vault: { seal: noVault, open: noVault },
    createId: createIds(timeOfDay),
    timeOfDay,
    log: pino({ level: 'silent' }),
  }
}
