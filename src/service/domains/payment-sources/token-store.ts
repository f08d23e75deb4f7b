import type { Database } from '../../platform/database/database.ts'
import { countIn, batchColumns, batchOf } from '../../platform/jobs/batches.ts'
import { bytea, jsonb, notNull, nullable, text } from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { SealedCard } from '../../platform/vault/vault.ts'
import type { CardFacts } from './card-facts.ts'
import { ERASED } from './token-claim.ts'

/** How long a token can be spent (contract §3). */
const LIFETIME = "interval '3 hours'"

/** A token as it is kept: without the token itself. */
export interface StoredToken {
  tokenHash: Buffer
  merchantId: string
  /** Null when any of the merchant's gateways may use it. */
  gatewayId: string | null
  card: CardFacts
  sealed: SealedCard
  meta: object | undefined
  /** Hash of the key under which the same request may come again; null when it may not. */
  keyHash: Buffer | null
}

/** A token that can be spent. */
export type SpendableToken = Pick<StoredToken, 'merchantId' | 'gatewayId' | 'card' | 'sealed'>

const addToken = statement({
  name: 'add_token',
  values: {
    token_hash: bytea,
    merchant_id: text,
    gateway_id: nullable(text),
    master_key_id: text,
    wrapped_data_key: bytea,
    card_number: bytea,
    card_ccv: bytea,
    card: jsonb<CardFacts>(),
    meta: nullable(jsonb()),
    idempotency_key_hash: nullable(bytea),
  },
  columns: { token_hash: bytea },
  sql: `
    INSERT INTO payment_source_tokens
      (token_hash, merchant_id, gateway_id, master_key_id, wrapped_data_key, card_number, card_ccv, card, meta,
       idempotency_key_hash, expires_at)
    VALUES (:token_hash, :merchant_id, :gateway_id, :master_key_id, :wrapped_data_key, :card_number, :card_ccv, :card,
            :meta, :idempotency_key_hash, now() + ${LIFETIME})
    ON CONFLICT DO NOTHING RETURNING token_hash`,
})
const findByKey = statement({
  name: 'find_token_by_key',
  values: { merchant_id: text, key_hash: bytea },
  columns: { token_hash: bytea },
  sql: `
    SELECT token_hash FROM payment_source_tokens
    WHERE merchant_id = :merchant_id AND idempotency_key_hash = :key_hash`,
})
const tokenColumns = {
  gateway_id: nullable(text),
  card: jsonb<CardFacts>(),
  master_key_id: notNull(text),
  wrapped_data_key: notNull(bytea),
  card_number: notNull(bytea),
  card_ccv: notNull(bytea),
  merchant_id: text,
}
export const findToken = statement({
  name: 'find_token',
  values: { token_hash: bytea },
  columns: tokenColumns,
  sql: `
    SELECT gateway_id, card, master_key_id, wrapped_data_key, card_number, card_ccv, merchant_id
    FROM payment_source_tokens
    WHERE token_hash = :token_hash AND attempt_id IS NULL AND expires_at > now()
      AND card_number IS NOT NULL AND card_ccv IS NOT NULL AND wrapped_data_key IS NOT NULL AND master_key_id IS NOT NULL`,
})
const eraseExpired = statement({
  name: 'erase_expired_tokens',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: `UPDATE payment_source_tokens SET ${ERASED}`,
    key: 'token_hash',
    order: 'expires_at',
    found: `payment_source_tokens WHERE card_number IS NOT NULL AND expires_at <= now()`,
  }),
})
const deleteOld = statement({
  name: 'delete_old_tokens',
  values: {},
  columns: batchColumns,
  sql: batchOf({
    change: 'DELETE FROM payment_source_tokens',
    key: 'token_hash',
    order: 'expires_at',
    found: `payment_source_tokens WHERE expires_at <= now() - interval '30 days'`,
  }),
})

/** One-time tokens in SQL. */
export interface TokenStore {
  /** False when the merchant's idempotency key has been used before; then nothing is added. */
  add: (token: StoredToken) => Promise<boolean>
  /** The hash of the token that a merchant's idempotency key was used for, spent or not. */
  findByKey: (merchantId: string, keyHash: Buffer) => Promise<Buffer | null>
  /** A token that can still be spent, by its merchant alone, or null: unknown, used or expired. */
  find: (tokenHash: Buffer) => Promise<SpendableToken | null>
  /** Erases the cards of some tokens that have expired: of how many. */
  eraseExpired: () => Promise<number>
  /** Deletes some tokens that expired 30 days ago: how many. */
  deleteOld: () => Promise<number>
}

export function createTokenStore(database: Database): TokenStore {
  return {
    async add({ tokenHash, merchantId, gatewayId, card, sealed, meta, keyHash }) {
      const { masterKeyId, wrappedDataKey, number, code } = sealed
      const added = await database.grouped.run(addToken, {
        token_hash: tokenHash,
        merchant_id: merchantId,
        gateway_id: gatewayId,
        master_key_id: masterKeyId,
        wrapped_data_key: wrappedDataKey,
        card_number: number,
        card_ccv: code,
        card,
        meta: meta ?? null,
        idempotency_key_hash: keyHash,
      })
      return added.length > 0
    },
    async findByKey(merchantId, keyHash) {
      const [row] = await database.run(findByKey, { merchant_id: merchantId, key_hash: keyHash })
      return row?.token_hash ?? null
    },
    async find(tokenHash) {
      const [row] = await database.grouped.run(findToken, { token_hash: tokenHash })
      if (row === undefined) return null
      const { merchant_id: merchantId, gateway_id: gatewayId, card } = row
      return { merchantId, gatewayId, card, sealed: sealedCardOf(row) }
    },
    eraseExpired: async () => countIn(await database.run(eraseExpired, {})),
    deleteOld: async () => countIn(await database.run(deleteOld, {})),
  }
}

function sealedCardOf(row: ValuesOf<typeof tokenColumns>): SealedCard {
  const {
    master_key_id: masterKeyId,
    wrapped_data_key: wrappedDataKey,
    card_number: number,
    card_ccv: code,
  } = row
  return { masterKeyId, wrappedDataKey, number, code }
}
