import type { TimeOfDay } from '../../platform/clocks.ts'
import type { Database } from '../../platform/database/database.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { TextVault } from '../../platform/vault/vault.ts'
import type { PasswordHashes } from './password-hashes.ts'
import type { Throttle } from './throttle.ts'
import type { RelyingParty } from './webauthn.ts'

/** What the use cases of people work with. `domain.ts` makes it once. */
export interface UsersDeps extends AdministrationDeps {
  textVault: TextVault
  timeOfDay: TimeOfDay
  throttle: Throttle
  relyingParty: RelyingParty
}

/** The part of it that operators' commands have too. */
export interface AdministrationDeps {
  database: Database
  createId: CreateId
  hashes: PasswordHashes
  /** Links to invitations lead there. */
  dashboardUrl: string
}
