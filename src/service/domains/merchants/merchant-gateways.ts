import type { MonotonicClock } from '../../platform/clocks.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { SealedText, TextVault } from '../../platform/vault/sealed-text.ts'
import { credentialsPlaceOf } from './gateway-keys.ts'
import type { GatewayStore, StoredGateway } from './gateway-store.ts'
import type { MerchantGateway } from './merchant.ts'
import { ttlCache } from '../../platform/concurrency/loading.ts'

/** How long what was read of a merchant or its gateways may be used again. */
export const CACHE = { ttlMs: 5000, maxEntries: 10_000 }

interface NewGateway {
  name: string
  type: string
  isDefault: boolean
  credentials: unknown
}

/** What was entered for a gateway. */
export interface KeptCredentials {
  /** The sealed bytes in the database. They differ each time that credentials are entered, also the same ones: so they show a change. */
  sealed: Buffer
  /** Throws `MissingKey` when their master key is not there. */
  open: () => Promise<unknown>
}

/** Merchants' accounts at payment gateways. */
export interface MerchantGateways {
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
  /** What was entered for one of its gateways as it is now, to be changed; null when it has none such. */
  keptCredentials: (merchantId: string, gatewayId: string) => Promise<KeptCredentials | null>
  /**
   * Changes the credentials of one of its gateways, and answers with their sealed bytes. Null, and nothing is changed, when it has no such
   * gateway, or the sealed bytes are no longer `asRead`. Other processes follow within five seconds.
   */
  changeCredentials: (
    merchantId: string,
    gatewayId: string,
    asRead: Buffer,
    credentials: unknown,
  ) => Promise<Buffer | null>
  hasPayment: GatewayStore['hasPayment']
  removeGateway: GatewayStore['remove']
}

interface Parts {
  store: GatewayStore
  vault: TextVault
  createId: CreateId
  clock: MonotonicClock
  hasSandbox: boolean
}

/** In production the sandbox is not one of them: it would approve, and move no money. */
export function createMerchantGateways({
  store,
  vault,
  createId,
  clock,
  hasSandbox,
}: Parts): MerchantGateways {
  const stored = ttlCache({ clock, ...CACHE }, store.of)
  const isUsable = ({ type }: MerchantGateway) => hasSandbox || type !== 'sandbox'
  const found = async (merchantId: string, isWanted: (gateway: StoredGateway) => boolean) => {
    const wanted = (gateway: StoredGateway) => isUsable(gateway) && isWanted(gateway)
    // One that was added a moment ago is there for whoever asks for it.
    return (
      (await stored.get(merchantId)).find(wanted) ?? (await stored.reload(merchantId)).find(wanted) ?? null
    )
  }
  const open = async (sealed: SealedText, gatewayId: string) => {
    const credentials: unknown = JSON.parse(await vault.open(sealed, credentialsPlaceOf(gatewayId)))
    return credentials
  }
  return {
    gatewayOf(merchantId, gatewayId) {
      const isDefault = gatewayId === 'default' || gatewayId === 'not_configured'
      return found(merchantId, (one) => (isDefault ? one.isDefault : one.id === gatewayId))
    },
    async gateways(merchantId) {
      const usable = (await store.of(merchantId)).filter(isUsable)
      return usable.map(({ sealed, ...gateway }) => ({ ...gateway, hasCredentials: sealed !== null }))
    },
    makeDefault: store.makeDefault,
    async credentialsOf(merchantId, gatewayId) {
      const gateway = await found(merchantId, ({ id }) => id === gatewayId)
      if (gateway?.sealed === undefined || gateway.sealed === null) {
        throw new Error(`gateway ${gatewayId} has no credentials`)
      }
      return open(gateway.sealed, gatewayId)
    },
    async keptCredentials(merchantId, gatewayId) {
      const sealed = (await store.of(merchantId)).find(({ id }) => id === gatewayId)?.sealed ?? null
      return sealed === null ? null : { sealed: sealed.text, open: () => open(sealed, gatewayId) }
    },
    async addGateway(merchantId, { credentials, ...gateway }) {
      const id = createId()
      const sealed = await vault.seal(JSON.stringify(credentials), credentialsPlaceOf(id))
      return (await store.add(merchantId, { ...gateway, id, sealed })) ? id : null
    },
    async changeCredentials(merchantId, gatewayId, asRead, credentials) {
      const sealed = await vault.seal(JSON.stringify(credentials), credentialsPlaceOf(gatewayId))
      const isChanged = await store.changeCredentials(merchantId, gatewayId, asRead, sealed)
      if (isChanged) await stored.reload(merchantId)
      return isChanged ? sealed.text : null
    },
    hasPayment: store.hasPayment,
    removeGateway: store.remove,
  }
}
