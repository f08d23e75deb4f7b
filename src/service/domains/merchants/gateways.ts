import type { AuthenticationWish } from '../../../contract/api/charges/authentication.ts'
import { ttlCache } from '../../platform/concurrency/loading.ts'
import type { SealedText } from '../../platform/vault/vault.ts'
import type { MerchantsDeps } from './deps.ts'
import {
  addGateway,
  clearDefault,
  credentialsPlaceOf,
  hasPayment,
  listGateways,
  lockGateways,
  removeUnusedGateway,
  replaceCredentials,
  setAuthentication,
  setDefault,
} from './gateway-store.ts'
import type { MerchantGateway, StoredGateway } from './gateway-store.ts'
import { addMerchantEvent } from './merchant-events.ts'

/** How long what was read of a merchant or its gateways may be used again. */
export const CACHE = { ttlMs: 5000, maxEntries: 10_000 }

/** The credentials that are stored for a gateway. */
export interface KeptCredentials {
  /** The sealed bytes. They differ each time that credentials are entered, and so show every change. */
  sealed: Buffer
  /** Throws `MissingKey` if their master key is missing. */
  open: () => Promise<unknown>
}

/** Merchants' accounts at payment gateways. */
export function createGateways(deps: MerchantsDeps) {
  const stored = cacheGateways(deps)
  return { ...gatewayReads(deps, stored), ...gatewayChanges(deps, stored) }
}

const cacheGateways = ({ database, clock }: MerchantsDeps) =>
  ttlCache({ clock, ...CACHE }, (merchantId) => listGateways(database, merchantId))
type GatewayCache = ReturnType<typeof cacheGateways>

function gatewayReads(deps: MerchantsDeps, stored: GatewayCache) {
  const { database } = deps
  // In production the sandbox is no gateway: it would approve without moving money.
  const isUsable = ({ type }: MerchantGateway) => hasSandbox(deps) || type !== 'sandbox'
  const find = async (merchantId: string, isWanted: (gateway: StoredGateway) => boolean) => {
    const wanted = (gateway: StoredGateway) => isUsable(gateway) && isWanted(gateway)
    const cached = (await stored.get(merchantId)).find(wanted)
    // The gateway may have been added since it was cached.
    return cached ?? (await stored.reload(merchantId)).find(wanted) ?? null
  }
  return {
    /** One of a merchant's gateways by id; `default` and `not_configured` mean its default. May be some seconds old. */
    gatewayOf: (merchantId: string, gatewayId: string): Promise<MerchantGateway | null> => {
      const isDefault = gatewayId === 'default' || gatewayId === 'not_configured'
      return find(merchantId, (one) => (isDefault ? one.isDefault : one.id === gatewayId))
    },
    /** All of a merchant's gateways as they are now. */
    gateways: async (merchantId: string): Promise<(MerchantGateway & { hasCredentials: boolean })[]> => {
      const usable = (await listGateways(database, merchantId)).filter(isUsable)
      return usable.map(({ sealed, ...gateway }) => ({ ...gateway, hasCredentials: sealed !== null }))
    },
    /** Throws if the gateway has no credentials, or they can't be opened. */
    credentialsOf: async (merchantId: string, gatewayId: string): Promise<unknown> => {
      const gateway = await find(merchantId, ({ id }) => id === gatewayId)
      const sealed = gateway?.sealed ?? null
      if (sealed === null) throw new Error(`gateway ${gatewayId} has no credentials`)
      return openCredentials(deps, gatewayId, sealed)
    },
    /** The credentials as they are now, to be changed; null if the gateway has none. */
    keptCredentials: async (merchantId: string, gatewayId: string): Promise<KeptCredentials | null> => {
      const gateways = await listGateways(database, merchantId)
      const sealed = gateways.find(({ id }) => id === gatewayId)?.sealed ?? null
      if (sealed === null) return null
      return { sealed: sealed.text, open: () => openCredentials(deps, gatewayId, sealed) }
    },
    /** Whether it has a payment, or may have: one with an unknown outcome counts. */
    hasPayment: (merchantId: string, gatewayId: string): Promise<boolean> =>
      hasPayment(database, merchantId, gatewayId),
  }
}

function gatewayChanges(deps: MerchantsDeps, stored: GatewayCache) {
  return {
    /** Returns the new gateway's id, or null if there is no such merchant. Its bank and rules decide who is authenticated. */
    addGateway: async (
      merchantId: string,
      { credentials, ...gateway }: Omit<MerchantGateway, 'id' | 'authentication'> & { credentials: unknown },
    ): Promise<string | null> => {
      const id = deps.createId()
      const sealed = await sealCredentials(deps, id, credentials)
      return (await storeGateway(deps, merchantId, { ...gateway, authentication: 'automatic', id, sealed }))
        ? id
        : null
    },
    /**
     * Replaces credentials, and returns the new sealed bytes. Null if there is no such gateway, or the sealed bytes are no
     * longer `asRead`. Other processes follow within five seconds.
     */
    changeCredentials: async (
      merchantId: string,
      gatewayId: string,
      asRead: Buffer,
      credentials: unknown,
    ): Promise<Buffer | null> => {
      const sealed = await sealCredentials(deps, gatewayId, credentials)
      if (!(await storeCredentials(deps, merchantId, gatewayId, asRead, sealed))) return null
      await stored.reload(merchantId)
      return sealed.text
    },
    /** False if the merchant has no such gateway. Other processes follow within five seconds. */
    changeAuthentication: async (
      merchantId: string,
      gatewayId: string,
      wish: AuthenticationWish,
    ): Promise<boolean> => {
      const isKnown = await changeAuthentication(deps, merchantId, gatewayId, wish)
      if (isKnown) await stored.reload(merchantId)
      return isKnown
    },
    makeDefault: (merchantId: string, gatewayId: string): Promise<boolean> =>
      makeDefault(deps, merchantId, gatewayId),
    removeGateway: (merchantId: string, gatewayId: string, asRead: Buffer | null): Promise<GatewayRemoval> =>
      removeGateway(deps, merchantId, gatewayId, asRead),
  }
}

async function openCredentials(
  { textVault }: MerchantsDeps,
  gatewayId: string,
  sealed: SealedText,
): Promise<unknown> {
  const credentials: unknown = JSON.parse(await textVault.open(sealed, credentialsPlaceOf(gatewayId)))
  return credentials
}

function sealCredentials(
  { textVault }: MerchantsDeps,
  gatewayId: string,
  credentials: unknown,
): Promise<SealedText> {
  return textVault.seal(JSON.stringify(credentials), credentialsPlaceOf(gatewayId))
}

export function hasSandbox({ environment }: MerchantsDeps): boolean {
  return environment !== 'production_svc'
}

/** False if there is no such merchant. A new default replaces the old one. */
function storeGateway(deps: MerchantsDeps, merchantId: string, gateway: StoredGateway): Promise<boolean> {
  return deps.database.transaction(async (queries) => {
    await lockGateways(queries, merchantId)
    if (gateway.isDefault) await clearDefault(queries, merchantId)
    const isAdded = await addGateway(queries, merchantId, gateway)
    const { id, name, type, isDefault: is_default } = gateway
    const facts = { id, name, type, is_default }
    if (isAdded) await addMerchantEvent(deps, queries, merchantId, 'gateway.added', facts)
    return isAdded
  })
}

function storeCredentials(
  deps: MerchantsDeps,
  merchantId: string,
  gatewayId: string,
  asRead: Buffer,
  sealed: SealedText,
): Promise<boolean> {
  return deps.database.transaction(async (queries) => {
    const name = await replaceCredentials(queries, merchantId, gatewayId, asRead, sealed)
    if (name === undefined) return false
    const facts = { id: gatewayId, name }
    await addMerchantEvent(deps, queries, merchantId, 'gateway.credentials_changed', facts)
    return true
  })
}

/** False if the merchant has no such gateway. Other processes follow within five seconds. */
function makeDefault(deps: MerchantsDeps, merchantId: string, gatewayId: string): Promise<boolean> {
  return deps.database.transaction(async (queries) => {
    await lockGateways(queries, merchantId)
    const known = await listGateways(queries, merchantId)
    if (!known.some(({ id }) => id === gatewayId)) return false
    await clearDefault(queries, merchantId)
    const name = (await setDefault(queries, merchantId, gatewayId)) ?? ''
    await addMerchantEvent(deps, queries, merchantId, 'gateway.made_default', { id: gatewayId, name })
    return true
  })
}

function changeAuthentication(
  deps: MerchantsDeps,
  merchantId: string,
  gatewayId: string,
  authentication: AuthenticationWish,
): Promise<boolean> {
  return deps.database.transaction(async (queries) => {
    const name = await setAuthentication(queries, merchantId, gatewayId, authentication)
    if (name === undefined)
      return (await listGateways(queries, merchantId)).some(({ id }) => id === gatewayId)
    const facts = { id: gatewayId, name, authentication }
    await addMerchantEvent(deps, queries, merchantId, 'gateway.authentication_changed', facts)
    return true
  })
}

/**
 * `default`: the default gateway can only be removed last. `used`: it has a payment, so it stays for ever. `overtaken`: its
 * credentials have changed since they were read.
 */
export type GatewayRemoval = 'removed' | 'not_found' | 'default' | 'used' | 'overtaken'

/** `asRead` are its sealed credentials, or null if it needs none. */
function removeGateway(
  deps: MerchantsDeps,
  merchantId: string,
  gatewayId: string,
  asRead: Buffer | null,
): Promise<GatewayRemoval> {
  return deps.database.transaction(async (queries) => {
    await lockGateways(queries, merchantId)
    const known = await listGateways(queries, merchantId)
    const found = known.find(({ id }) => id === gatewayId)
    if (found === undefined) return 'not_found'
    if (found.isDefault && known.length > 1) return 'default'
    if (asRead !== null && found.sealed?.text.equals(asRead) === false) return 'overtaken'
    const name = await removeUnusedGateway(queries, merchantId, gatewayId, asRead)
    if (name === undefined) return 'used'
    await addMerchantEvent(deps, queries, merchantId, 'gateway.removed', { id: gatewayId, name })
    return 'removed'
  })
}
