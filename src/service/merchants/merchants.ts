import type { CreateId } from '../identifiers.ts'
import { createKey, isKeyOf, keyRecordOf } from './api-key.ts'
import type { KeyKind } from './api-key.ts'
import type { MerchantStore } from './merchant-store.ts'
import type { Merchant, MerchantGateway } from './merchant.ts'

/** A merchant that was just made; its keys are shown here once and never again. */
export interface MadeMerchant {
  merchant: Merchant
  gatewayId: string
  publicKey: string
  secretKey: string
}

interface Wish {
  name: string
  preAuth: boolean
  allowedOrigins: string[]
}

export interface Merchants {
  /** The merchant that a key belongs to, or null. */
  ofKey: (key: string, kind: KeyKind) => Promise<Merchant | null>
  /** One of its gateways by id; `default` and `not_configured` mean the one marked as default. */
  gatewayOf: (merchantId: string, gatewayId: string) => Promise<MerchantGateway | null>
  /** `announce` hears of the merchant before it is stored: a crash between the two must not lose its keys. */
  make: (wish: Wish, announce: (made: MadeMerchant) => void) => Promise<MadeMerchant>
  /** Turns the Pre-Auth feature on or off; false when there is no such merchant. */
  setPreAuth: (merchantId: string, isOn: boolean) => Promise<boolean>
  isEmpty: () => Promise<boolean>
}

interface Parts {
  store: MerchantStore
  createId: CreateId
  clock: () => number
  environment: string
}

/** How long an answer about a key or a gateway may be used again: a revoked key works this long at most. */
const REMEMBERED_MS = 5000
const MOST_REMEMBERED = 10_000

export function createMerchants({ store, createId, clock, environment }: Parts): Merchants {
  const findByKey = {
    public: remembered(clock, (lookup) => store.findByKey(lookup, 'public')),
    secret: remembered(clock, (lookup) => store.findByKey(lookup, 'secret')),
  }
  const gatewaysOf = remembered(clock, store.gatewaysOf)
  return {
    async ofKey(key, kind) {
      const found = await findByKey[kind](keyRecordOf(key).lookup)
      return found !== null && isKeyOf(key, found) ? found.merchant : null
    },
    async gatewayOf(merchantId, gatewayId) {
      const gateways = await gatewaysOf(merchantId)
      const isDefault = gatewayId === 'default' || gatewayId === 'not_configured'
      return gateways.find((gateway) => (isDefault ? gateway.isDefault : gateway.id === gatewayId)) ?? null
    },
    async make({ name, preAuth, allowedOrigins }, announce) {
      const merchant: Merchant = { id: createId(), name, preAuth, allowedOrigins }
      const gateway: MerchantGateway = { id: createId(), name: 'Sandbox', type: 'sandbox', isDefault: true }
      const publicKey = createKey('public', environment)
      const secretKey = createKey('secret', environment)
      const made = { merchant, gatewayId: gateway.id, publicKey, secretKey }
      announce(made)
      await store.add({
        merchant,
        gateway,
        keys: [
          { ...keyRecordOf(publicKey), kind: 'public' },
          { ...keyRecordOf(secretKey), kind: 'secret' },
        ],
      })
      return made
    },
    setPreAuth: store.setPreAuth,
    isEmpty: store.isEmpty,
  }
}

/** Answers from memory for a few seconds. */
function remembered<Value>(
  clock: () => number,
  ask: (name: string) => Promise<Value>,
): (name: string) => Promise<Value> {
  const known = new Map<string, { value: Value; until: number }>()
  return async (name) => {
    const entry = known.get(name)
    if (entry !== undefined && entry.until > clock()) return entry.value
    const value = await ask(name)
    if (known.size >= MOST_REMEMBERED) known.clear()
    known.set(name, { value, until: clock() + REMEMBERED_MS })
    return value
  }
}
