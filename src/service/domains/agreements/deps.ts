import type { Logger } from 'pino'
import type { DatabaseClock } from '../../platform/database/database-clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { TextVault } from '../../platform/vault/vault.ts'
import type { PaymentNetwork } from '../payment-network/payment-network.ts'

/** What the use cases of agreements and their payments need. */
export interface AgreementsDeps {
  database: Database
  network: PaymentNetwork
  vault: TextVault
  createId: CreateId
  timeOfDay: Pick<DatabaseClock, 'epochMs' | 'refresh' | 'msSinceStep'>
  log: Pick<Logger, 'warn' | 'error'>
}
