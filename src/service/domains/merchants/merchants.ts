import { ttlCache } from '../../platform/concurrency/loading.ts'
import { createKey, newKeyOf } from './api-key.ts'
import type { MerchantsDeps } from './deps.ts'
import { addGateway } from './gateway-store.ts'
import { CACHE, createGateways, hasSandbox } from './gateways.ts'
import { addNewKey, createKeys } from './keys.ts'
import { addMerchantEvent } from './merchant-events.ts'
import {
  addMerchant,
  findMerchant,
  hasMerchants,
  listMerchants,
  renameMerchant,
  setOrigins,
  setPreAuth,
} from './merchant-store.ts'
import type { Merchant } from './merchant-store.ts'

/** A merchant that was just made. Its keys are shown here once and never again. */
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

export type Merchants = ReturnType<typeof createMerchants>

/** Merchants, with their keys and gateways. */
export function createMerchants(deps: MerchantsDeps) {
  const { database, clock } = deps
  const cached = ttlCache({ clock, ...CACHE }, (id) => findMerchant(database, id))
  return {
    ...createGateways(deps),
    keys: createKeys(deps),
    /** A merchant as it was at most a few seconds ago. */
    find: cached.get,
    /** A merchant as it is now. */
    read: (id: string): Promise<Merchant | null> => findMerchant(database, id),
    list: () => listMerchants(database),
    isEmpty: async (): Promise<boolean> => !(await hasMerchants(database)),
    /** Calls `announce` before the merchant is stored, so that a crash between the two loses no keys. */
    make: async (wanted: NewMerchant, announce: (made: MadeMerchant) => void): Promise<MadeMerchant> => {
      const merchant = { id: deps.createId(), ...wanted }
      const gatewayId = hasSandbox(deps) ? deps.createId() : null
      const [publicKey, secretKey] = [
        createKey('public', deps.environment),
        createKey('secret', deps.environment),
      ]
      const made = { merchant, gatewayId, publicKey, secretKey }
      announce(made)
      await storeMerchant(deps, made)
      return made
    },
    /** Turns the Pre-Auth feature on or off. False if there is no such merchant. */
    setPreAuth: (merchantId: string, isOn: boolean): Promise<boolean> =>
      database.transaction(async (queries) => {
        const isChanged = await setPreAuth(queries, merchantId, isOn)
        if (isChanged)
          await addMerchantEvent(deps, queries, merchantId, 'pre_auth.changed', { pre_auth: isOn })
        return isChanged
      }),
    /** The merchant with its new name, or null if there is none. */
    rename: (merchantId: string, name: string): Promise<Merchant | null> =>
      database.transaction(async (queries) => {
        const renamed = await renameMerchant(queries, merchantId, name)
        if (renamed !== null) await addMerchantEvent(deps, queries, merchantId, 'merchant.renamed', { name })
        return renamed
      }),
    /** Sets whose pages may show the widget. Null if there is no such merchant. */
    setOrigins: (merchantId: string, origins: readonly string[]): Promise<Merchant | null> =>
      database.transaction(async (queries) => {
        const changed = await setOrigins(queries, merchantId, origins)
        const facts = { allowed_origins: [...origins] }
        if (changed !== null) await addMerchantEvent(deps, queries, merchantId, 'origins.changed', facts)
        return changed
      }),
  }
}

async function storeMerchant(
  deps: MerchantsDeps,
  { merchant, gatewayId, publicKey, secretKey }: MadeMerchant,
): Promise<void> {
  const { id, name, preAuth: pre_auth, allowedOrigins: allowed_origins } = merchant
  await deps.database.transaction(async (queries) => {
    await addMerchant(queries, merchant)
    if (gatewayId !== null) {
      const sandbox = { id: gatewayId, name: 'Sandbox', type: 'sandbox', isDefault: true, sealed: null }
      await addGateway(queries, id, { ...sandbox, authentication: 'automatic' })
    }
    await addMerchantEvent(deps, queries, id, 'merchant.added', { name, pre_auth, allowed_origins })
    await addNewKey(deps, queries, id, newKeyOf(publicKey, 'public'))
    await addNewKey(deps, queries, id, newKeyOf(secretKey, 'secret'))
  })
}
