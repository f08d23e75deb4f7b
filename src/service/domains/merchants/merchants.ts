import type { MonotonicClock } from '../../platform/clocks.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import { createKey, newKeyOf } from './api-key.ts'
import { credentialsPlaceOf } from './gateway-keys.ts'
import { createKeys } from './keys.ts'
import type { Keys } from './keys.ts'
import type { TextVault } from '../../platform/vault/sealed-text.ts'
import type { StoredGateway } from './gateway-store.ts'
import type { MerchantStore } from './merchant-store.ts'
import type { Merchant, MerchantGateway } from './merchant.ts'

/** A merchant that was just made; its keys are shown here once and never again. */
export interface MadeMerchant {
  merchant: Merchant
  /** Null in production, where a merchant starts without a gateway. */
  gatewayId: string | null
  publicKey: string
  secretKey: string
}

interface NewGateway {
  name: string
  type: string
  isDefault: boolean
  credentials: unknown
}

interface NewMerchant {
  name: string
  preAuth: boolean
  allowedOrigins: string[]
}

export interface Merchants {
  keys: Keys
  ofKey: Keys['holderOf']
  /** For what was begun with its key and goes on without it. */
  find: (id: string) => Promise<Merchant | null>
  /** The same as it is now; `find` may be some seconds behind. */
  read: (id: string) => Promise<Merchant | null>
  /** One of its gateways by id; `default` and `not_configured` mean the one marked as default. */
  gatewayOf: (merchantId: string, gatewayId: string) => Promise<MerchantGateway | null>
  /** All of them as they are now, and whether something was entered for each. */
  gateways: (merchantId: string) => Promise<(MerchantGateway & { hasCredentials: boolean })[]>
  /** False when the merchant has no such gateway. Processes that run follow within five seconds. */
  makeDefault: (merchantId: string, gatewayId: string) => Promise<boolean>
  /** What an operator entered for one of its gateways; throws when there is nothing or it can't be opened. */
  credentialsOf: (merchantId: string, gatewayId: string) => Promise<unknown>
  /** Adds a gateway, its credentials sealed; its id, or null when there is no such merchant. */
  addGateway: (merchantId: string, gateway: NewGateway) => Promise<string | null>
  /** `announce` hears of the merchant before it is stored: a crash between the two must not lose its keys. */
  make: (merchant: NewMerchant, announce: (made: MadeMerchant) => void) => Promise<MadeMerchant>
  /** Turns the Pre-Auth feature on or off; false when there is no such merchant. */
  setPreAuth: (merchantId: string, isOn: boolean) => Promise<boolean>
  /** The merchant under another name; null when there is none. */
  rename: MerchantStore['rename']
  /** The merchant with other origins whose pages may show the widget; null when there is none. */
  setOrigins: MerchantStore['setOrigins']
  isEmpty: () => Promise<boolean>
}

interface Parts {
  store: MerchantStore
  vault: TextVault
  createId: CreateId
  clock: MonotonicClock
  environment: string
}

/** How long an answer about a gateway or a merchant may be used again. */
const REMEMBERED_MS = 5000
const MOST_REMEMBERED = 10_000

/** A merchant's gateways. In production the sandbox is not one: it would approve, and move no money. */
export function createMerchants({ store, vault, createId, clock, environment }: Parts): Merchants {
  const hasSandbox = environment !== 'production_svc'
  const keys = createKeys(store.keys, environment)
  const { recall: storedOf, readAnew } = remembered(clock, store.gateways.of)
  const isUsable = ({ type }: MerchantGateway) => hasSandbox || type !== 'sandbox'
  const found = async (merchantId: string, isWanted: (gateway: StoredGateway) => boolean) => {
    const wanted = (gateway: StoredGateway) => isUsable(gateway) && isWanted(gateway)
    // One that was added a moment ago is there for whoever asks for it.
    return (await storedOf(merchantId)).find(wanted) ?? (await readAnew(merchantId)).find(wanted) ?? null
  }
  return {
    keys,
    ofKey: keys.holderOf,
    gatewayOf(merchantId, gatewayId) {
      const isDefault = gatewayId === 'default' || gatewayId === 'not_configured'
      return found(merchantId, (one) => (isDefault ? one.isDefault : one.id === gatewayId))
    },
    async gateways(merchantId) {
      const usable = (await store.gateways.of(merchantId)).filter(isUsable)
      return usable.map(({ sealed, ...gateway }) => ({ ...gateway, hasCredentials: sealed !== null }))
    },
    makeDefault: store.gateways.makeDefault,
    async credentialsOf(merchantId, gatewayId) {
      const gateway = await found(merchantId, ({ id }) => id === gatewayId)
      if (gateway?.sealed === undefined || gateway.sealed === null) {
        throw new Error(`gateway ${gatewayId} has no credentials`)
      }
      const credentials: unknown = JSON.parse(await vault.open(gateway.sealed, credentialsPlaceOf(gatewayId)))
      return credentials
    },
    async addGateway(merchantId, { credentials, ...gateway }) {
      const id = createId()
      const sealed = await vault.seal(JSON.stringify(credentials), credentialsPlaceOf(id))
      return (await store.gateways.add(merchantId, { ...gateway, id, sealed })) ? id : null
    },
    async make({ name, preAuth, allowedOrigins }, announce) {
      const merchant: Merchant = { id: createId(), name, preAuth, allowedOrigins }
      const gateway = hasSandbox ? sandboxGateway(createId()) : null
      const publicKey = createKey('public', environment)
      const secretKey = createKey('secret', environment)
      const made = { merchant, gatewayId: gateway?.id ?? null, publicKey, secretKey }
      announce(made)
      await store.add({
        merchant,
        gateway,
        keys: [newKeyOf(publicKey, 'public'), newKeyOf(secretKey, 'secret')],
      })
      return made
    },
    find: remembered(clock, store.find).recall,
    read: store.find,
    setPreAuth: store.setPreAuth,
    rename: store.rename,
    setOrigins: store.setOrigins,
    isEmpty: store.isEmpty,
  }
}

function sandboxGateway(id: string): StoredGateway {
  return { id, name: 'Sandbox', type: 'sandbox', isDefault: true, sealed: null }
}

interface Remembered<Value> {
  /** From memory, where it was read within a few seconds. */
  recall: (name: string) => Promise<Value>
  readAnew: (name: string) => Promise<Value>
}

function remembered<Value>(clock: MonotonicClock, ask: (name: string) => Promise<Value>): Remembered<Value> {
  const known = new Map<string, { value: Value; until: number }>()
  const readAnew = async (name: string) => {
    const value = await ask(name)
    if (known.size >= MOST_REMEMBERED) known.clear()
    known.set(name, { value, until: clock.elapsedMs() + REMEMBERED_MS })
    return value
  }
  return {
    readAnew,
    recall(name) {
      const entry = known.get(name)
      const isFresh = entry !== undefined && entry.until > clock.elapsedMs()
      return isFresh ? Promise.resolve(entry.value) : readAnew(name)
    },
  }
}
