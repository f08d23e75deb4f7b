import type { Database } from '../database/database.ts'
import { countIn, batchColumns, batchOf } from '../jobs/batches.ts'
import { bool, bytea, nullable, text } from '../database/sql-types.ts'
import type { ValuesOf } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { SealedText } from '../vault/sealed-text.ts'

const begin = statement({
  name: 'begin_idempotent_request',
  values: { key: text, request_hash: text },
  columns: { key: text },
  sql: `
    INSERT INTO idempotent_requests (key, request_hash) VALUES (:key, :request_hash)
    ON CONFLICT (key) DO NOTHING RETURNING key`,
})
const requestColumns = {
  request_hash: text,
  master_key_id: nullable(text),
  wrapped_data_key: nullable(bytea),
  answer: nullable(bytea),
  is_abandoned: bool,
}
const find = statement({
  name: 'find_idempotent_request',
  values: { key: text },
  columns: requestColumns,
  sql: `
    SELECT request_hash, master_key_id, wrapped_data_key, answer,
           answer IS NULL AND begun_at <= now() - interval '1 minute' AS is_abandoned
    FROM idempotent_requests WHERE key = :key`,
})
const finish = statement({
  name: 'finish_idempotent_request',
  values: { key: text, master_key_id: text, wrapped_data_key: bytea, answer: bytea },
  columns: {},
  sql: `
    UPDATE idempotent_requests
    SET master_key_id = :master_key_id, wrapped_data_key = :wrapped_data_key, answer = :answer WHERE key = :key`,
})
const giveUp = statement({
  name: 'give_up_idempotent_request',
  values: { key: text },
  columns: {},
  sql: 'DELETE FROM idempotent_requests WHERE key = :key AND answer IS NULL',
})
const forgetOld = statement({
  name: 'forget_idempotent_requests',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: 'DELETE FROM idempotent_requests',
    key: 'key',
    order: 'begun_at',
    found: `idempotent_requests WHERE begun_at <= now() - interval '30 days'`,
  }),
})

/** A request that came before under the same key. */
interface KnownRequest {
  hash: string
  /** Its answer; null while it is under way. */
  sealed: SealedText | null
  /** It got no answer within a minute: it is no longer under way, and nobody knows how far it came. */
  isAbandoned: boolean
}

/** Requests by their idempotency keys in SQL. */
export interface RequestStore {
  /** True for the first who comes under this key: that one carries the request out. */
  begin: (key: string, hash: string) => Promise<boolean>
  find: (key: string) => Promise<KnownRequest | null>
  finish: (key: string, answer: SealedText) => Promise<void>
  /** Nothing was done: the same key may come again. */
  giveUp: (key: string) => Promise<void>
  /** Deletes a batch of those that are 30 days old (contract §2); returns how many. */
  forgetOld: () => Promise<number>
}

export function createRequestStore(database: Database): RequestStore {
  return {
    begin: async (key, hash) => (await database.run(begin, { key, request_hash: hash })).length > 0,
    async find(key) {
      const [row] = await database.run(find, { key })
      return row === undefined
        ? null
        : { hash: row.request_hash, sealed: sealedOf(row), isAbandoned: row.is_abandoned }
    },
    async finish(key, { masterKeyId, wrappedDataKey, text }) {
      await database.run(finish, {
        key,
        master_key_id: masterKeyId,
        wrapped_data_key: wrappedDataKey,
        answer: text,
      })
    },
    async giveUp(key) {
      await database.run(giveUp, { key })
    },
    forgetOld: async () => countIn(await database.run(forgetOld, {})),
  }
}

function sealedOf(row: ValuesOf<typeof requestColumns>): SealedText | null {
  const { master_key_id: masterKeyId, wrapped_data_key: wrappedDataKey, answer: text } = row
  if (masterKeyId === null || wrappedDataKey === null || text === null) return null
  return { masterKeyId, wrappedDataKey, text }
}
