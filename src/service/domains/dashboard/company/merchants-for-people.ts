import type { Actor } from '../../../../contract/dashboard/audit.ts'
import type { KeyKind } from '../../../../contract/dashboard/company/api-key.ts'

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
  inNameOf: (actor: Actor) => MerchantChanges
}
