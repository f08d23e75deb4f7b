import type { MonotonicClock } from '../../platform/clocks.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import { createKey, newKeyOf } from './api-key.ts'
import { createKeys } from './keys.ts'
import type { Keys } from './keys.ts'
import type { TextVault } from '../../platform/vault/sealed-text.ts'
import type { StoredGateway } from './gateway-store.ts'
import { CACHE, createMerchantGateways } from './merchant-gateways.ts'
import type { MerchantGateways } from './merchant-gateways.ts'
import type { MerchantStore } from './merchant-store.ts'
import type { Merchant } from './merchant.ts'
import { ttlCache } from '../../platform/concurrency/loading.ts'

/** A merchant that was just made; its keys are shown here once and never again. */
export interface MadeMerchant {
  merchant: Merchant
  /** Null in production, where a merchant starts without a gateway. */
  gatewayId: string | null
  publicKey: string
  secretKey: string
}

interface NewMerchant {
  name: string
  preAuth: boolean
  allowedOrigins: string[]
}

export interface Merchants extends MerchantGateways {
  keys: Keys
  ofKey: Keys['holderOf']
  /** Looks a merchant up by id, for background work. */
  find: (id: string) => Promise<Merchant | null>
  /** The same as it is now; `find` may be some seconds behind. */
  read: (id: string) => Promise<Merchant | null>
  /** `announce` is called with the merchant before it is stored: a crash between the two must not lose its keys. */
  make: (merchant: NewMerchant, announce: (made: MadeMerchant) => void) => Promise<MadeMerchant>
  /** Turns the Pre-Auth feature on or off; false when there is no such merchant. */
  setPreAuth: (merchantId: string, isOn: boolean) => Promise<boolean>
  /** The merchant under another name; null when there is none. */
  rename: MerchantStore['rename']
  /** The merchant with other origins whose pages may show the widget; null when there is none. */
  setOrigins: MerchantStore['setOrigins']
  list: MerchantStore['list']
  isEmpty: () => Promise<boolean>
}

interface Parts {
  store: MerchantStore
  vault: TextVault
  createId: CreateId
  clock: MonotonicClock
  environment: string
}

/** Merchants, with their keys and gateways. In production the sandbox is no gateway. */
export function createMerchants({ store, vault, createId, clock, environment }: Parts): Merchants {
  const hasSandbox = environment !== 'production_svc'
  const keys = createKeys(store.keys, environment)
  return {
    ...createMerchantGateways({ store: store.gateways, vault, createId, clock, hasSandbox }),
    keys,
    ofKey: keys.holderOf,
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
    find: ttlCache({ clock, ...CACHE }, store.find).get,
    read: store.find,
    setPreAuth: store.setPreAuth,
    rename: store.rename,
    setOrigins: store.setOrigins,
    list: store.list,
    isEmpty: store.isEmpty,
  }
}

function sandboxGateway(id: string): StoredGateway {
  return { id, name: 'Sandbox', type: 'sandbox', isDefault: true, sealed: null }
}
