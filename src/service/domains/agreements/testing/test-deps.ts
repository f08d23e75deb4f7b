import pino from 'pino'
import type { Database } from '../../../platform/database/database.ts'
import { createIds } from '../../../platform/identifiers.ts'
import type { PaymentNetwork } from '../../payment-network/payment-network.ts'
import { addAgreement } from '../agreement-store.ts'
import type { Agreement, NewChange } from '../agreement.ts'
import type { AgreementsDeps } from '../deps.ts'
import { madeAgreement } from './made-agreement.ts'

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

/** Stores an agreement of a test, changed last by `change`; its accounts cannot be opened. */
export function storeAgreement(
  { database, createId, timeOfDay }: AgreementsDeps,
  overrides: Partial<Agreement> = {},
  change: Pick<NewChange, 'type' | 'by'> = { type: 'created', by: 'creditor' },
): Promise<Agreement> {
  const accounts = { masterKeyId: 'k', wrappedDataKey: Buffer.alloc(8), text: Buffer.alloc(8) }
  return addAgreement(database, madeAgreement({ id: createId(), ...overrides }), accounts, {
    ...change,
    id: createId(),
    at: new Date(timeOfDay.epochMs()),
    noticeId: null,
    reason: null,
    facts: {},
    instruction: null,
  })
}
