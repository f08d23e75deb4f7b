import type { Actor } from '../../../../contract/dashboard/audit.ts'
import type { Scope } from '../../../../contract/api/scope.ts'

export interface ListedClient {
  id: string
  merchantId: string
  issuer: string | null
  scopes: readonly Scope[]
  createdAt: Date
  revokedAt: Date | null
}

interface ClientChanges {
  make: (
    merchantId: string,
    scopes: readonly Scope[],
  ) => Promise<{ clientId: string; clientSecret: string; scopes: readonly Scope[] } | null>
  roll: (
    clientId: string,
    overlapSeconds: number,
  ) => Promise<{ clientSecret: string; oldEndsAt: Date | null } | null>
  revoke: (clientId: string) => Promise<ListedClient | null>
}

/** What people see and change of the programs that ask with access tokens. */
export interface ClientsForPeople {
  list: (merchantId: string) => Promise<ListedClient[]>
  inNameOf: (actor: Actor) => ClientChanges
  /** The issuer of access tokens where that is not this service: clients are then made there. */
  externalIssuer: string | undefined
}
