import { statement } from '../../platform/database/database.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import type { KeyKind, KeyRecord } from './api-key.ts'
import { createTellOfMerchant } from './merchant-events.ts'
import type { Acts } from './merchant-events.ts'
import { toMerchant } from './merchant-row.ts'
import type { MerchantRow } from './merchant-row.ts'
import type { Merchant } from './merchant.ts'

interface KeyRow extends MerchantRow {
  hash: Buffer
  is_revoked: boolean
}

interface ListedRow {
  lookup: string
  kind: KeyKind
  created_at: Date
  revoked_at: Date | null
  is_revoked: boolean
}

/** By the database's clock, which is the same for every process. */
const IS_REVOKED = 'coalesce(k.revoked_at <= now(), false)'

const findKey = statement<KeyRow>(
  'find_merchant_key',
  `SELECT k.hash, ${IS_REVOKED} AS is_revoked, m.id, m.name, m.pre_auth, m.allowed_origins
   FROM merchant_keys k JOIN merchants m ON m.id = k.merchant_id
   WHERE k.lookup = $1 AND k.kind = $2`,
)
const addKey = statement(
  'add_merchant_key',
  'INSERT INTO merchant_keys (lookup, kind, hash, merchant_id) VALUES ($1, $2, $3, $4)',
)
/** Rolls of one merchant's keys wait for one another, and keep none of its charges waiting. */
const lockMerchant = statement<{ id: string }>(
  'lock_merchant',
  'SELECT id FROM merchants WHERE id = $1 FOR NO KEY UPDATE',
)
/** One that ends sooner keeps its end. The column rounds to milliseconds; rounded up, the key would outlive its end. */
const endKeys = statement<ListedRow>(
  'end_merchant_keys',
  `UPDATE merchant_keys k SET revoked_at = date_trunc('milliseconds', now()) + $3 * interval '1 second'
   WHERE merchant_id = $1 AND kind = $2 AND (revoked_at IS NULL OR revoked_at > now() + $3 * interval '1 second')
   RETURNING lookup, kind, created_at, revoked_at, ${IS_REVOKED} AS is_revoked`,
)
const revokeKey = statement<ListedRow & { merchant_id: string }>(
  'revoke_merchant_key',
  `UPDATE merchant_keys k SET revoked_at = date_trunc('milliseconds', now())
   WHERE lookup = $1 AND NOT ${IS_REVOKED}
   RETURNING merchant_id, lookup, kind, created_at, revoked_at, ${IS_REVOKED} AS is_revoked`,
)
const listKeys = statement<ListedRow>(
  'list_merchant_keys',
  `SELECT lookup, kind, created_at, revoked_at, ${IS_REVOKED} AS is_revoked
   FROM merchant_keys k WHERE merchant_id = $1 ORDER BY created_at, lookup`,
)

/** A key as the operator sees it: its id is a part of its hash, by which the key can't be found out. */
export interface ListedKey {
  id: string
  kind: KeyKind
  createdAt: Date
  /** When it ends, or ended; null for one that goes on. */
  revokedAt: Date | null
  isRevoked: boolean
}

/** Merchants' keys in SQL; what changes them is an event in the same transaction. */
export interface KeyStore {
  /** The merchant behind a key's look-up, with the hash that the key must still match. */
  find: (
    lookup: string,
    kind: KeyKind,
  ) => Promise<{ merchant: Merchant; hash: Buffer; isRevoked: boolean } | null>
  /** Within the transaction that makes its merchant. */
  add: (queries: Queries, merchantId: string, key: KeyRecord & { kind: KeyKind }) => Promise<void>
  /** Adds a key, and ends the others of its kind after so many seconds: those; null when there is no such merchant. */
  roll: (
    merchantId: string,
    key: KeyRecord & { kind: KeyKind },
    overlapSeconds: number,
  ) => Promise<ListedKey[] | null>
  /** Ends a key at once; null when there is none by this id that has not ended. */
  revoke: (id: string) => Promise<(ListedKey & { merchantId: string }) | null>
  list: (merchantId: string) => Promise<ListedKey[]>
}

export function createKeyStore(database: Database, acts: Acts): KeyStore {
  const tell = createTellOfMerchant(acts)
  const add: KeyStore['add'] = async (queries, merchantId, { lookup, kind, hash }) => {
    await queries.run(addKey, [lookup, kind, hash, merchantId])
    await tell(queries, merchantId, 'key.made', { kind, key_id: lookup })
  }
  const tellOfEnd = (queries: Queries, merchantId: string, { id, kind, revokedAt }: ListedKey) =>
    tell(queries, merchantId, 'key.revoked', { kind, key_id: id, revoked_at: revokedAt?.toISOString() })
  return {
    add,
    async find(lookup, kind) {
      const [row] = await database.run(findKey, [lookup, kind])
      if (row === undefined) return null
      return { merchant: toMerchant(row), hash: row.hash, isRevoked: row.is_revoked }
    },
    roll: (merchantId, key, overlapSeconds) =>
      database.transaction(async (queries) => {
        if ((await queries.run(lockMerchant, [merchantId])).length === 0) return null
        const rows = await queries.run(endKeys, [merchantId, key.kind, overlapSeconds])
        const ended = rows.map(toListedKey)
        for (const one of ended) await tellOfEnd(queries, merchantId, one)
        await add(queries, merchantId, key)
        return ended
      }),
    revoke: (id) =>
      database.transaction(async (queries) => {
        const [row] = await queries.run(revokeKey, [id])
        if (row === undefined) return null
        const key = { ...toListedKey(row), merchantId: row.merchant_id }
        await tellOfEnd(queries, key.merchantId, key)
        return key
      }),
    list: async (merchantId) => (await database.run(listKeys, [merchantId])).map(toListedKey),
  }
}

function toListedKey(row: ListedRow): ListedKey {
  const { lookup: id, kind, created_at: createdAt, revoked_at: revokedAt, is_revoked: isRevoked } = row
  return { id, kind, createdAt, revokedAt, isRevoked }
}
