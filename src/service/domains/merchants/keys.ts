import { createKey, isSameKey, keyRecordOf, newKeyOf } from './api-key.ts'
import type { KeyKind } from './api-key.ts'
import type { KeyStore, ListedKey } from './key-store.ts'
import type { Merchant } from './merchant.ts'

/** Merchants' keys: whose they are, and what an operator and the merchant can do with them. */
export interface Keys {
  /** The merchant of a key; null for an invalid or revoked key. */
  holderOf: (key: string, kind: KeyKind) => Promise<Merchant | null>
  isRevoked: (key: string, kind: KeyKind) => Promise<boolean>
  /**
   * Makes a key, shown here once and never again; those of its kind that there are work for `overlapSeconds` more. Null
   * when there is no such merchant.
   */
  roll: (
    merchantId: string,
    kind: KeyKind,
    overlapSeconds: number,
  ) => Promise<{ key: string; id: string; ended: ListedKey[] } | null>
  /** Revokes a key at once, by its id or the key itself; null when there is no such active key. */
  revoke: (idOrKey: string) => Promise<(ListedKey & { merchantId: string }) | null>
  list: KeyStore['list']
}

export function createKeys(store: KeyStore, environment: string): Keys {
  const foundBy = async (key: string, kind: KeyKind) => {
    const asked = keyRecordOf(key)
    const found = await store.find(asked.lookup, kind)
    return found !== null && isSameKey(asked, found) ? found : null
  }
  return {
    async holderOf(key, kind) {
      const found = await foundBy(key, kind)
      return found === null || found.isRevoked ? null : found.merchant
    },
    isRevoked: async (key, kind) => (await foundBy(key, kind))?.isRevoked ?? false,
    async roll(merchantId, kind, overlapSeconds) {
      const key = createKey(kind, environment)
      const fresh = newKeyOf(key, kind)
      const ended = await store.roll(merchantId, fresh, overlapSeconds)
      return ended === null ? null : { key, id: fresh.lookup, ended }
    },
    revoke: (idOrKey) => store.revoke(/^[ps]k_/.test(idOrKey) ? keyRecordOf(idOrKey).lookup : idOrKey),
    list: store.list,
  }
}
