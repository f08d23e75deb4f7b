import type { Database } from '../database/database.ts'
import { arrayOf, bigint, bytea, notNull, nullable, text } from '../database/sql-types.ts'
import type { ValuesOf } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { WrappedKey } from './key-stores/master-keys.ts'

/** The row that a data key is bound to. */
export interface SealedRow {
  merchantId: string
  name: string
}

/**
 * A table whose rows each keep one data key, in the columns `master_key_id` and `wrapped_data_key` (null once what it
 * sealed is erased). All texts but `of` are SQL of our own.
 */
export interface KeyTable {
  /** What the keys open, in words. */
  of: string
  table: string
  id: string
  idType: 'text' | 'bytea'
  /** The row's merchant, '' where it has none, and its name: what `placeOf` tells its place by. */
  merchantId: string
  name: string
  /** The place that it was sealed for. */
  placeOf: (row: SealedRow) => string
  /** SQL condition: rows whose key is still needed. */
  isNeeded: string
  /** SQL that erases everything a row has sealed; absent where that needs the merchant's consent. */
  erase?: string
}

/** A data key, its row and the place that it is bound to. */
export interface KeptKey extends WrappedKey {
  id: string
  place: string
}

/** The data keys of one table. */
export interface WrappedKeys {
  of: string
  /** How many are still needed, by the id of the master key that wraps them. */
  countByMasterKey: () => Promise<ReadonlyMap<string, number>>
  /** Data keys under any other master key than this one, in batches; each once. */
  notUnder: (masterKeyId: string) => AsyncGenerator<KeptKey[]>
  /** Replaces the keys that are still as they were read; one that was erased in the meantime stays erased. */
  replace: (was: readonly KeptKey[], now: readonly WrappedKey[]) => Promise<void>
  /** Erases what a master key has sealed, for one that is lost; how much that was, null where it may not be. */
  erase: (masterKeyId: string) => Promise<number | null>
}

const BATCH = 200

export function wrappedKeysIn(database: Database, kept: KeyTable): WrappedKeys {
  const { of } = kept
  const sql = statementsOn(kept)
  const { eraseUnder } = sql
  return {
    of,
    async countByMasterKey() {
      const rows = await database.run(sql.count, {})
      return new Map(rows.map(({ master_key_id: id, count }) => [id, count]))
    },
    async *notUnder(masterKeyId) {
      for (let after: string | undefined = undefined; ;) {
        const rows: KeyRow[] = await database.run(sql.notUnder, {
          master_key_id: masterKeyId,
          after: after ?? null,
          most: BATCH,
        })
        if (rows.length === 0) return
        yield rows.map((row) => toKeptKey(row, kept))
        after = rows.at(-1)?.id
      }
    },
    async replace(was, now) {
      await database.run(sql.replace, {
        ids: was.map(({ id }) => id),
        old_keys: was.map(({ wrappedDataKey }) => wrappedDataKey),
        new_keys: now.map(({ wrappedDataKey }) => wrappedDataKey),
        master_key_ids: now.map(({ masterKeyId }) => masterKeyId),
      })
    },
    async erase(masterKeyId) {
      if (eraseUnder === null) return null
      return (await database.run(eraseUnder, { master_key_id: masterKeyId })).length
    },
  }
}

const keyColumns = {
  id: text,
  sealed_merchant_id: text,
  sealed_name: text,
  master_key_id: notNull(text),
  wrapped_data_key: notNull(bytea),
}
type KeyRow = ValuesOf<typeof keyColumns>

function toKeptKey(row: KeyRow, { placeOf }: Pick<KeyTable, 'placeOf'>): KeptKey {
  return {
    id: row.id,
    place: placeOf({ merchantId: row.sealed_merchant_id, name: row.sealed_name }),
    masterKeyId: row.master_key_id,
    wrappedDataKey: row.wrapped_data_key,
  }
}

function statementsOn({ table, id, idType, merchantId, name, isNeeded, erase }: KeyTable) {
  const rows = `FROM ${table} WHERE wrapped_data_key IS NOT NULL AND master_key_id IS NOT NULL AND ${isNeeded}`
  return {
    count: statement({
      name: `count_keys_of_${table}`,
      values: {},
      columns: { master_key_id: notNull(text), count: bigint },
      sql: `SELECT master_key_id, count(*) AS count ${rows} GROUP BY master_key_id`,
    }),
    // Reads in the order of the primary key, so that a rotation reads the table once, even while it changes.
    notUnder: statement({
      name: `list_keys_of_${table}`,
      values: { master_key_id: text, after: nullable(text), most: bigint },
      columns: keyColumns,
      sql: `
        SELECT ${id}::text AS id, ${merchantId} AS sealed_merchant_id, ${name} AS sealed_name, master_key_id, wrapped_data_key ${rows}
          AND master_key_id <> :master_key_id AND (:after::text IS NULL OR ${id} > :after::text::${idType})
        ORDER BY ${table}.${id} LIMIT :most`,
    }),
    replace: statement({
      name: `replace_keys_of_${table}`,
      values: {
        ids: arrayOf(text),
        old_keys: arrayOf(bytea),
        new_keys: arrayOf(bytea),
        master_key_ids: arrayOf(text),
      },
      columns: {},
      sql: `
        UPDATE ${table} SET master_key_id = next.master_key_id, wrapped_data_key = next.wrapped
        FROM unnest(:ids::text[], :old_keys::bytea[], :new_keys::bytea[], :master_key_ids::text[])
          AS next (id, was, wrapped, master_key_id)
        WHERE ${table}.${id} = next.id::${idType} AND ${table}.wrapped_data_key = next.was`,
    }),
    eraseUnder:
      erase === undefined
        ? null
        : statement({
            name: `erase_keys_of_${table}`,
            values: { master_key_id: text },
            columns: { id: text },
            sql: `
              UPDATE ${table} SET ${erase} WHERE master_key_id = :master_key_id AND wrapped_data_key IS NOT NULL
              RETURNING ${id}::text AS id`,
          }),
  }
}
