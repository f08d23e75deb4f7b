import type { AuthenticationWish } from '../../../contract/api/charges/authentication.ts'
import type { Scope } from '../../../contract/api/scope.ts'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { KeyKind } from '../../../contract/dashboard/company/api-key.ts'
import type { GatewayDetail, GatewayTest, GatewayType } from '../../../contract/dashboard/company/gateway.ts'
import type { PciKit } from '../../../contract/dashboard/company/pci.ts'
import type { PageFilter } from '../../platform/listing/page-query.ts'
import type { DashboardFiles } from './dashboard-files.ts'

/** What the dashboard's own routes use of the other domains. `compose.ts` connects them. */
export interface DashboardDeps {
  /** Null if the dashboard was not built. */
  files: DashboardFiles | null
  /** Origin that the SDK is served from. */
  widgetUrl: string
  merchants: Merchants
  clients: Clients
  gateways: Gateways
  events: Events
  /** Null without a release of the SDK. */
  pciKit: PciKit | null
}

/** A person's merchant, with its keys and gateways. */
interface Merchants {
  read: (id: string) => Promise<Merchant | null>
  keys: { list: (merchantId: string) => Promise<ListedKey[]> }
  gateways: (merchantId: string) => Promise<ListedGateway[]>
  /** What is kept of an account, with the bytes that show every change; null if there is none. `open` throws if it can't be read. */
  keptCredentials: (
    merchantId: string,
    gatewayId: string,
  ) => Promise<{ sealed: Buffer; open: () => Promise<unknown> } | null>
  /** Each change is an event in the person's name. */
  inNameOf: (actor: Actor) => MerchantChanges
}

interface MerchantChanges {
  rename: (merchantId: string, name: string) => Promise<Merchant | null>
  setOrigins: (merchantId: string, origins: readonly string[]) => Promise<Merchant | null>
  keys: {
    /** `key` is shown here once. */
    roll: (
      merchantId: string,
      kind: KeyKind,
      overlapSeconds: number,
    ) => Promise<{ key: string; id: string; ended: ListedKey[] } | null>
    revoke: (id: string) => Promise<ListedKey | null>
  }
  addGateway: (merchantId: string, gateway: NewGateway) => Promise<string | null>
  makeDefault: (merchantId: string, gatewayId: string) => Promise<boolean>
  changeAuthentication: (merchantId: string, gatewayId: string, wish: AuthenticationWish) => Promise<boolean>
  /** Null if the account has been changed since it was read. */
  changeCredentials: (
    merchantId: string,
    gatewayId: string,
    asRead: Buffer,
    credentials: unknown,
  ) => Promise<Buffer | null>
}

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
  authentication: AuthenticationWish
}

interface NewGateway {
  name: string
  type: string
  isDefault: boolean
  credentials: unknown
}

/** A type of gateway at which merchants can have accounts. */
export interface ListedGatewayType extends Pick<
  GatewayType,
  'type' | 'name' | 'words' | 'finding' | 'beforehand'
> {
  servers: { usual: string }
  can: Readonly<
    Record<'partialCapture' | 'lookUp' | 'notifications' | 'disputes' | 'authentication', boolean>
  >
  setup: {
    hasPassword: boolean
    signingKey: { name: string; finding: string }
    steps: readonly string[]
    events: readonly string[]
    test: string
  } | null
}

interface Credentials {
  api_key: string
  merchant_account: string
  base_url: string
}

/** Credentials ready to be stored, or what is wrong with them. */
type Entered = { credentials: Credentials } | { path: string; message: string }

interface Gateways {
  types: () => readonly ListedGatewayType[]
  /** The credentials that a person entered, ready to be stored, or what is wrong with them. */
  enteredCredentials: (type: string, credentials: unknown) => Entered
  /** Whether the gateway takes an account that is not kept yet; moves no money. */
  checkEntered: (
    type: string,
    account: Credentials,
  ) => Promise<
    | { kind: 'works' }
    | { kind: 'refused'; path: string | null; message: string }
    | { kind: 'unreachable'; message: string }
  >
  /** The kept account with another key and address, at the same place. */
  replacedKey: (type: string, kept: unknown, next: Pick<Credentials, 'api_key' | 'base_url'>) => Entered
  shownAccount: (kept: unknown) => GatewayDetail['account']
  /** Asks a gateway something that moves no money. */
  check: (account: { merchantId: string; gatewayId: string; gatewayType: string }) => Promise<GatewayTest>
}

/** The merchant's programs that use access tokens. */
export interface Clients {
  list: (merchantId: string) => Promise<ListedClient[]>
  inNameOf: (actor: Actor) => ClientChanges
  /** Another issuer of access tokens, which then makes the clients. */
  externalIssuer: string | undefined
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

/** The audit log. */
interface Events {
  page: (merchantId: string, filter: EventFilter) => Promise<{ shown: ListedEvent[]; next: string | null }>
  chainState: () => Promise<ChainState>
}

interface EventFilter extends Pick<PageFilter, 'from' | 'to' | 'after' | 'limit'> {
  type: string | null
  subject: string | null
  actor: string | null
}

export interface ListedEvent {
  id: string
  type: string
  subject: string
  actor: string
  facts: Readonly<Record<string, unknown>>
  createdAt: Date
}

export interface ChainState {
  length: number
  verifiedLength: number
  verifiedAt: Date | null
  brokenAt: number | null
}
