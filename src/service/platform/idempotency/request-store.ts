import { statement } from '../database/database.ts'
import type { Database } from '../database/database.ts'
import type { SealedText } from '../vault/sealed-text.ts'

interface RequestRow {
  request_hash: string
  master_key_id: string | null
  wrapped_data_key: Buffer | null
  answer: Buffer | null
  is_abandoned: boolean
}

const begin = statement<{ key: string }>(
  'begin_idempotent_request',
  `INSERT INTO idempotent_requests (key, request_hash) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING RETURNING key`,
)
const find = statement<RequestRow>(
  'find_idempotent_request',
  `SELECT request_hash, master_key_id, wrapped_data_key, answer,
          answer IS NULL AND begun_at <= now() - interval '1 minute' AS is_abandoned
   FROM idempotent_requests WHERE key = $1`,
)
const finish = statement(
  'finish_idempotent_request',
  'UPDATE idempotent_requests SET master_key_id = $2, wrapped_data_key = $3, answer = $4 WHERE key = $1',
)
const giveUp = statement(
  'give_up_idempotent_request',
  'DELETE FROM idempotent_requests WHERE key = $1 AND answer IS NULL',
)
const forgetOld = statement(
  'forget_idempotent_requests',
  "DELETE FROM idempotent_requests WHERE begun_at <= now() - interval '30 days'",
)

/** A request that came before under the same key. */
interface KnownRequest {
  hash: string
  /** Its answer; null while it is under way. */
  sealed: SealedText | null
  /** It got no answer within a minute: it is under way no more, and nobody knows how far it came. */
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
  /** Those that are 30 days old (contract §2). */
  forgetOld: () => Promise<void>
}

export function createRequestStore(database: Database): RequestStore {
  return {
    begin: async (key, hash) => (await database.run(begin, [key, hash])).length > 0,
    async find(key) {
      const [row] = await database.run(find, [key])
      return row === undefined
        ? null
        : { hash: row.request_hash, sealed: sealedOf(row), isAbandoned: row.is_abandoned }
    },
    async finish(key, { masterKeyId, wrappedDataKey, text }) {
      await database.run(finish, [key, masterKeyId, wrappedDataKey, text])
    },
    async giveUp(key) {
      await database.run(giveUp, [key])
    },
    async forgetOld() {
      await database.run(forgetOld, [])
    },
  }
}

function sealedOf(row: RequestRow): SealedText | null {
  const { master_key_id: masterKeyId, wrapped_data_key: wrappedDataKey, answer: text } = row
  if (masterKeyId === null || wrappedDataKey === null || text === null) return null
  return { masterKeyId, wrappedDataKey, text }
}
