import type { Database, Queries } from '../../platform/database/database.ts'
import {
  arrayOf,
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
import { merchantColumns, toMerchant } from './merchant-store.ts'
import type { Merchant } from './merchant-store.ts'

/** A key as operators and its merchant see it. Its id is a part of its hash, which does not reveal the key. */
export interface ListedKey {
  id: string
  kind: KeyKind
  /** A public key itself; null for a secret one. */
  key: string | null
  createdAt: Date
  /** To the hour; null before its first use. */
  lastUsedAt: Date | null
  /** When it ends or has ended; null if it has no end. */
  revokedAt: Date | null
  isRevoked: boolean
}

/** The merchant of the key with this id, with the hash that the key must still match. */
export async function findKey(
  { grouped }: Pick<Database, 'grouped'>,
  id: string,
  kind: KeyKind,
): Promise<{ merchant: Merchant; hash: Buffer; isRevoked: boolean } | null> {
  const [row] = await grouped.read(selectKey, { id, kind })
  if (row === undefined) return null
  return { merchant: toMerchant(row), hash: row.hash, isRevoked: row.is_revoked }
}

export async function addKey(
  queries: Queries,
  merchantId: string,
  { id, kind, hash, shown }: NewKey,
): Promise<void> {
  await queries.run(insertKey, { id, kind, hash, merchant_id: merchantId, key: shown })
}

/** Locks a merchant's keys until the transaction ends. False if there is no such merchant. */
export async function lockKeys(queries: Queries, merchantId: string): Promise<boolean> {
  return (await queries.run(selectMerchantForUpdate, { merchant_id: merchantId })).length > 0
}

/** Ends a merchant's keys of a kind after a number of seconds, and returns them. */
export async function endKeys(
  queries: Queries,
  merchantId: string,
  kind: KeyKind,
  overlapSeconds: number,
): Promise<ListedKey[]> {
  const values = { merchant_id: merchantId, kind, overlap_seconds: overlapSeconds }
  return (await queries.run(updateToEnd, values)).map(toListedKey)
}

/** Revokes a key at once. Null if no active key has this id. */
export async function revokeKey(
  queries: Queries,
  id: string,
): Promise<(ListedKey & { merchantId: string }) | null> {
  const [row] = await queries.run(updateToRevoked, { id })
  return row === undefined ? null : { ...toListedKey(row), merchantId: row.merchant_id }
}

export async function listKeys(queries: Queries, merchantId: string): Promise<ListedKey[]> {
  return (await queries.run(selectKeys, { merchant_id: merchantId })).map(toListedKey)
}

export async function recordKeyUses(queries: Queries, ids: string[]): Promise<void> {
  await queries.run(updateUses, { ids })
}

const listedColumns = {
  id: text,
  kind: textOf<KeyKind>(),
  key: nullable(text),
  created_at: timestamptz,
  last_used_at: nullable(timestamptz),
  revoked_at: nullable(timestamptz),
  is_revoked: bool,
}

/** By the database's clock: every process has the same. */
const IS_REVOKED = 'coalesce(k.revoked_at <= now(), false)'

const selectKey = statement({
  name: 'find_merchant_key',
  values: { id: text, kind: textOf<KeyKind>() },
  columns: { hash: bytea, is_revoked: bool, ...merchantColumns },
  sql: `
    SELECT k.hash, ${IS_REVOKED} AS is_revoked, m.id, m.name, m.pre_auth, m.allowed_origins
    FROM merchant_keys k JOIN merchants m ON m.id = k.merchant_id
    WHERE k.id = :id AND k.kind = :kind`,
})
const insertKey = statement({
  name: 'add_merchant_key',
  values: {
    id: text,
    kind: textOf<KeyKind>(),
    hash: bytea,
    merchant_id: text,
    key: nullable(text),
  },
  columns: {},
  sql: `
    INSERT INTO merchant_keys (id, kind, hash, merchant_id, key)
    VALUES (:id, :kind, :hash, :merchant_id, :key)`,
})
/** Rolls of one merchant's keys take turns here. Its charges do not wait. */
const selectMerchantForUpdate = statement({
  name: 'lock_merchant',
  values: { merchant_id: text },
  columns: { id: text },
  sql: 'SELECT id FROM merchants WHERE id = :merchant_id FOR NO KEY UPDATE',
})
/** A key that ends sooner keeps its end. Truncated, as the column's rounding up would let the key outlive its end. */
const updateToEnd = statement({
  name: 'end_merchant_keys',
  values: { merchant_id: text, kind: textOf<KeyKind>(), overlap_seconds: float8 },
  columns: listedColumns,
  sql: `
    UPDATE merchant_keys k SET revoked_at = date_trunc('milliseconds', now()) + :overlap_seconds * interval '1 second'
    WHERE merchant_id = :merchant_id AND kind = :kind
      AND (revoked_at IS NULL OR revoked_at > now() + :overlap_seconds * interval '1 second')
    RETURNING id, kind, key, created_at, last_used_at, revoked_at, ${IS_REVOKED} AS is_revoked`,
})
const updateToRevoked = statement({
  name: 'revoke_merchant_key',
  values: { id: text },
  columns: { merchant_id: text, ...listedColumns },
  sql: `
    UPDATE merchant_keys k SET revoked_at = date_trunc('milliseconds', now())
    WHERE id = :id AND NOT ${IS_REVOKED}
    RETURNING merchant_id, id, kind, key, created_at, last_used_at, revoked_at, ${IS_REVOKED} AS is_revoked`,
})
const selectKeys = statement({
  name: 'list_merchant_keys',
  values: { merchant_id: text },
  columns: listedColumns,
  sql: `
    SELECT id, kind, key, created_at, last_used_at, revoked_at, ${IS_REVOKED} AS is_revoked
    FROM merchant_keys k WHERE merchant_id = :merchant_id ORDER BY created_at, id`,
})
/** At most once an hour for each key. Skips keys that another process is writing. */
const updateUses = statement({
  name: 'record_uses_of_merchant_keys',
  values: { ids: arrayOf(text) },
  columns: {},
  sql: `
    UPDATE merchant_keys SET last_used_at = now()
    WHERE id IN (
      SELECT id FROM merchant_keys
      WHERE id = ANY (:ids) AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 hour')
      FOR NO KEY UPDATE SKIP LOCKED)`,
})

function toListedKey(row: ValuesOf<typeof listedColumns>): ListedKey {
  const { id, kind, key, created_at: createdAt, last_used_at: lastUsedAt } = row
  return { id, kind, key, createdAt, lastUsedAt, revokedAt: row.revoked_at, isRevoked: row.is_revoked }
}
