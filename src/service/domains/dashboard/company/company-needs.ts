import type { Scope } from '../../../../contract/api/scope.ts'
import type { KeyKind } from '../../../../contract/dashboard/api-key.ts'
import type { GatewayTest } from '../../../../contract/dashboard/gateway.ts'

/** A merchant as it is now. */
export interface Merchant {
  id: string
  name: string
  preAuth: boolean
  allowedOrigins: readonly string[]
}

export interface ListedKey {
  id: string
  kind: KeyKind
  key: string | null
  createdAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
  isRevoked: boolean
}

export interface ListedGateway {
  id: string
  name: string
  type: string
  isDefault: boolean
  hasCredentials: boolean
}

interface NewGateway {
  name: string
  type: string
  isDefault: boolean
  credentials: unknown
}

/** What a person changes of a merchant; each change is an event in that person's name. */
interface MerchantChanges {
  rename: (merchantId: string, name: string) => Promise<Merchant | null>
  setOrigins: (merchantId: string, origins: readonly string[]) => Promise<Merchant | null>
  keys: {
    /** `key`: shown here once. */
    roll: (
      merchantId: string,
      kind: KeyKind,
      overlapSeconds: number,
    ) => Promise<{ key: string; id: string; ended: ListedKey[] } | null>
    revoke: (id: string) => Promise<ListedKey | null>
  }
  addGateway: (merchantId: string, gateway: NewGateway) => Promise<string | null>
  makeDefault: (merchantId: string, gatewayId: string) => Promise<boolean>
}

/** What people see and change of their merchant. */
export interface MerchantsForPeople {
  read: (id: string) => Promise<Merchant | null>
  keys: { list: (merchantId: string) => Promise<ListedKey[]> }
  gateways: (merchantId: string) => Promise<ListedGateway[]>
  inNameOf: (actor: string) => MerchantChanges
}

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
  inNameOf: (actor: string) => ClientChanges
  /** Whose tokens are taken, where that is not this service: then clients are made there. */
  externalIssuer: string | undefined
}

/** What people may do with gateways beside listing and adding them. */
export interface GatewaysForPeople {
  /** What a person entered for a gateway, fit to be kept; a fault, by its field, where it is not. */
  enteredCredentials: (
    type: string,
    credentials: unknown,
  ) => { credentials: unknown } | { path: string; message: string }
  /** Asks a gateway something that moves no money. */
  check: (account: { merchantId: string; gatewayId: string; gatewayType: string }) => Promise<GatewayTest>
}
