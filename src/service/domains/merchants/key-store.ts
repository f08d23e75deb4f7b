import type { Database, Queries } from '../../platform/database/database.ts'
import {
  bool,
  bytea,
  float8,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { KeyKind, NewKey } from './api-key.ts'
import type { AddMerchantEvent } from './merchant-events.ts'
import { merchantColumns, toMerchant } from './merchant-row.ts'
import type { Merchant } from './merchant.ts'

const listedColumns = {
  lookup: text,
  kind: textOf<KeyKind>(),
  key: nullable(text),
  created_at: timestamptz,
  last_used_at: nullable(timestamptz),
  revoked_at: nullable(timestamptz),
  is_revoked: bool,
}

/** By the database's clock, which is the same for every process. */
const IS_REVOKED = 'coalesce(k.revoked_at <= now(), false)'

const findKey = statement({
  name: 'find_merchant_key',
  values: { lookup: text, kind: textOf<KeyKind>() },
  columns: { hash: bytea, is_revoked: bool, ...merchantColumns },
  sql: `
    SELECT k.hash, ${IS_REVOKED} AS is_revoked, m.id, m.name, m.pre_auth, m.allowed_origins
    FROM merchant_keys k JOIN merchants m ON m.id = k.merchant_id
    WHERE k.lookup = :lookup AND k.kind = :kind`,
})
const addKey = statement({
  name: 'add_merchant_key',
  values: {
    lookup: text,
    kind: textOf<KeyKind>(),
    hash: bytea,
    merchant_id: text,
    key: nullable(text),
  },
  columns: {},
  sql: `
    INSERT INTO merchant_keys (lookup, kind, hash, merchant_id, key)
    VALUES (:lookup, :kind, :hash, :merchant_id, :key)`,
})
/** Rolls of one merchant's keys wait for one another, and keep none of its charges waiting. */
const lockMerchant = statement({
  name: 'lock_merchant',
  values: { merchant_id: text },
  columns: { id: text },
  sql: 'SELECT id FROM merchants WHERE id = :merchant_id FOR NO KEY UPDATE',
})
/** One that ends sooner keeps its end. The column rounds to milliseconds; rounded up, the key would outlive its end. */
const endKeys = statement({
  name: 'end_merchant_keys',
  values: { merchant_id: text, kind: textOf<KeyKind>(), overlap_seconds: float8 },
  columns: listedColumns,
  sql: `
    UPDATE merchant_keys k SET revoked_at = date_trunc('milliseconds', now()) + :overlap_seconds * interval '1 second'
    WHERE merchant_id = :merchant_id AND kind = :kind
      AND (revoked_at IS NULL OR revoked_at > now() + :overlap_seconds * interval '1 second')
    RETURNING lookup, kind, key, created_at, last_used_at, revoked_at, ${IS_REVOKED} AS is_revoked`,
})
const revokeKey = statement({
  name: 'revoke_merchant_key',
  values: { lookup: text },
  columns: { merchant_id: text, ...listedColumns },
  sql: `
    UPDATE merchant_keys k SET revoked_at = date_trunc('milliseconds', now())
    WHERE lookup = :lookup AND NOT ${IS_REVOKED}
    RETURNING merchant_id, lookup, kind, key, created_at, last_used_at, revoked_at, ${IS_REVOKED} AS is_revoked`,
})
const listKeys = statement({
  name: 'list_merchant_keys',
  values: { merchant_id: text },
  columns: listedColumns,
  sql: `
    SELECT lookup, kind, key, created_at, last_used_at, revoked_at, ${IS_REVOKED} AS is_revoked
    FROM merchant_keys k WHERE merchant_id = :merchant_id ORDER BY created_at, lookup`,
})

/** A key as the operator and the merchant see it: its id is a part of its hash, by which the key can't be found out. */
export interface ListedKey {
  id: string
  kind: KeyKind
  /** A public key itself; null of a secret one, and of one that was made before public keys were kept. */
  key: string | null
  createdAt: Date
  /** To the hour; null before its first use. */
  lastUsedAt: Date | null
  /** When it ends or has ended; null while it has no end. */
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
  add: (queries: Queries, merchantId: string, key: NewKey) => Promise<void>
  /** Adds a key, and ends the others of its kind after a number of seconds. Returns those; null when there is no such merchant. */
  roll: (merchantId: string, key: NewKey, overlapSeconds: number) => Promise<ListedKey[] | null>
  /** Revokes a key at once; null when there is no active key with this id. */
  revoke: (id: string) => Promise<(ListedKey & { merchantId: string }) | null>
  list: (merchantId: string) => Promise<ListedKey[]>
}

export function createKeyStore(database: Database, addEvent: AddMerchantEvent): KeyStore {
  const add: KeyStore['add'] = async (queries, merchantId, { lookup, kind, hash, shown }) => {
    await queries.run(addKey, { lookup, kind, hash, merchant_id: merchantId, key: shown })
    await addEvent(queries, merchantId, 'key.made', { kind, key_id: lookup })
  }
  const addRevoked = (queries: Queries, merchantId: string, { id, kind, revokedAt }: ListedKey) =>
    addEvent(queries, merchantId, 'key.revoked', { kind, key_id: id, revoked_at: revokedAt?.toISOString() })
  return {
    add,
    async find(lookup, kind) {
      const [row] = await database.grouped.read(findKey, { lookup, kind })
      if (row === undefined) return null
      return { merchant: toMerchant(row), hash: row.hash, isRevoked: row.is_revoked }
    },
    roll: (merchantId, key, overlapSeconds) =>
      database.transaction(async (queries) => {
        const merchant = { merchant_id: merchantId }
        if ((await queries.run(lockMerchant, merchant)).length === 0) return null
        const rows = await queries.run(endKeys, {
          ...merchant,
          kind: key.kind,
          overlap_seconds: overlapSeconds,
        })
        const ended = rows.map(toListedKey)
        for (const one of ended) await addRevoked(queries, merchantId, one)
        await add(queries, merchantId, key)
        return ended
      }),
    revoke: (id) =>
      database.transaction(async (queries) => {
        const [row] = await queries.run(revokeKey, { lookup: id })
        if (row === undefined) return null
        const key = { ...toListedKey(row), merchantId: row.merchant_id }
        await addRevoked(queries, key.merchantId, key)
        return key
      }),
    list: async (merchantId) => (await database.run(listKeys, { merchant_id: merchantId })).map(toListedKey),
  }
}

function toListedKey(row: ValuesOf<typeof listedColumns>): ListedKey {
  const { lookup: id, kind, key, created_at: createdAt, last_used_at: lastUsedAt } = row
  return { id, kind, key, createdAt, lastUsedAt, revokedAt: row.revoked_at, isRevoked: row.is_revoked }
}
