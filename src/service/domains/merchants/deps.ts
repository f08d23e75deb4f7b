import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { MonotonicClock } from '../../platform/clocks.ts'
import type { Database } from '../../platform/database/database.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { TextVault } from '../../platform/vault/vault.ts'

/** What the use cases of merchants work with, in the service and in operators' commands. */
export interface MerchantsDeps {
  database: Database
  createId: CreateId
  /** Seals gateways' credentials. */
  textVault: TextVault
  clock: MonotonicClock
  environment: string
  /** Who acts, for the audit log. */
  actor: Actor
}
