import type { Database, Queries } from '../../platform/database/database.ts'
import { createKey, isSameKey, keyRecordOf, newKeyOf } from './api-key.ts'
import type { KeyKind, NewKey } from './api-key.ts'
import type { MerchantsDeps } from './deps.ts'
import { addKey, endKeys, findKey, listKeys, lockKeys, recordKeyUses, revokeKey } from './key-store.ts'
import type { ListedKey } from './key-store.ts'
import { addMerchantEvent } from './merchant-events.ts'
import type { Merchant } from './merchant-store.ts'

/** Merchants' API keys: whose they are, a new one, and the end of one. */
export function createKeys(deps: MerchantsDeps) {
  const { database } = deps
  return {
    /** The merchant of a key; null for an invalid or revoked key. */
    holderOf: async (key: string, kind: KeyKind): Promise<Merchant | null> => {
      const found = await findValidKey(database, key, kind)
      return found === null || found.isRevoked ? null : found.merchant
    },
    isRevoked: async (key: string, kind: KeyKind): Promise<boolean> =>
      (await findValidKey(database, key, kind))?.isRevoked ?? false,
    list: (merchantId: string): Promise<ListedKey[]> => listKeys(database, merchantId),
    /**
     * Makes a key, which is shown here once and never again. The others of its kind work for `overlapSeconds` more. Null if
     * there is no such merchant.
     */
    roll: async (
      merchantId: string,
      kind: KeyKind,
      overlapSeconds: number,
    ): Promise<{ key: string; id: string; ended: ListedKey[] } | null> => {
      const key = createKey(kind, deps.environment)
      const fresh = newKeyOf(key, kind)
      return database.transaction(async (queries) => {
        if (!(await lockKeys(queries, merchantId))) return null
        const ended = await endKeys(queries, merchantId, kind, overlapSeconds)
        for (const one of ended) await addRevoked(deps, queries, merchantId, one)
        await addNewKey(deps, queries, merchantId, fresh)
        return { key, id: fresh.id, ended }
      })
    },
    /** Revokes a key at once, by its id or the key itself. Null if there is no such active key. */
    revoke: (idOrKey: string): Promise<(ListedKey & { merchantId: string }) | null> =>
      database.transaction(async (queries) => {
        const id = /^[ps]k_/.test(idOrKey) ? keyRecordOf(idOrKey).id : idOrKey
        const key = await revokeKey(queries, id)
        if (key !== null) await addRevoked(deps, queries, key.merchantId, key)
        return key
      }),
  }
}

/** Adds a key, with its event, within a transaction. */
export async function addNewKey(
  deps: MerchantsDeps,
  queries: Queries,
  merchantId: string,
  key: NewKey,
): Promise<void> {
  await addKey(queries, merchantId, key)
  await addMerchantEvent(deps, queries, merchantId, 'key.made', { kind: key.kind, key_id: key.id })
}

function addRevoked(
  deps: MerchantsDeps,
  queries: Queries,
  merchantId: string,
  { id, kind, revokedAt }: ListedKey,
): Promise<void> {
  const facts = { kind, key_id: id, revoked_at: revokedAt?.toISOString() }
  return addMerchantEvent(deps, queries, merchantId, 'key.revoked', facts)
}

/** The id is only a part of the hash, so the whole is compared. */
async function findValidKey(database: Pick<Database, 'grouped'>, key: string, kind: KeyKind) {
  const asked = keyRecordOf(key)
  const found = await findKey(database, asked.id, kind)
  return found !== null && isSameKey(asked, found) ? found : null
}

/** Remembers which keys are used, so that a job can write it and no request waits for that. */
export function createKeyUseRecorder(database: Queries) {
  const used = new Set<string>()
  return {
    add: (key: string) => used.add(keyRecordOf(key).id),
    /** Writes what was remembered. If that fails, or the process crashes, the next use is written. */
    write: async (): Promise<void> => {
      const ids = [...used]
      used.clear()
      if (ids.length > 0) await recordKeyUses(database, ids)
    },
  }
}
