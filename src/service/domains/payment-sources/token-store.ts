import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SealedCard } from '../../platform/vault/vault.ts'
import type { CardFacts } from './payment-source.ts'
import { ERASED } from './token-claim.ts'

/** How long a token can be spent (contract §3). */
const LIFETIME = "interval '3 hours'"

interface TokenRow {
  gateway_id: string | null
  card: CardFacts
  master_key_id: string
  wrapped_data_key: Buffer
  card_number: Buffer
  card_ccv: Buffer
  is_sealed_with_token: boolean
}

/** A token as it is kept: without the token itself. */
export interface StoredToken {
  tokenHash: Buffer
  merchantId: string
  /** Null when any of the merchant's gateways may use it. */
  gatewayId: string | null
  card: CardFacts
  sealed: SealedCard
  meta: unknown
  /** Hash of the key under which the same request may come again; null when it may not. */
  keyHash: Buffer | null
}

/** A token that can be spent. `isSealedWithToken`: false of one that was made before tokens were a part of the key. */
export type SpendableToken = Pick<StoredToken, 'gatewayId' | 'card' | 'sealed'> & {
  isSealedWithToken: boolean
}

const addToken = statement<{ token_hash: Buffer }>(
  'add_token',
  `INSERT INTO payment_source_tokens
     (token_hash, merchant_id, gateway_id, master_key_id, wrapped_data_key, card_number, card_ccv, card, meta,
      idempotency_key_hash, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + ${LIFETIME})
   ON CONFLICT DO NOTHING RETURNING token_hash`,
)
const findByKey = statement<{ token_hash: Buffer }>(
  'find_token_by_key',
  'SELECT token_hash FROM payment_source_tokens WHERE merchant_id = $1 AND idempotency_key_hash = $2',
)
export const findToken = statement<TokenRow>(
  'find_token',
  `SELECT gateway_id, card, master_key_id, wrapped_data_key, card_number, card_ccv, old_token IS NULL AS is_sealed_with_token
   FROM payment_source_tokens
   WHERE token_hash = $1 AND merchant_id = $2 AND attempt_id IS NULL AND card_number IS NOT NULL AND expires_at > now()`,
)
const eraseExpired = statement(
  'erase_expired_tokens',
  `UPDATE payment_source_tokens SET ${ERASED}
   WHERE card_number IS NOT NULL AND expires_at <= now()`,
)

const deleteOld = statement(
  'delete_old_tokens',
  `DELETE FROM payment_source_tokens WHERE expires_at <= now() - interval '30 days'`,
)

/** One-time tokens in SQL. */
export interface TokenStore {
  /** False when the merchant's idempotency key has been used before; then nothing is added. */
  add: (token: StoredToken) => Promise<boolean>
  /** The hash of the token that a merchant's idempotency key was used for, spent or not. */
  findByKey: (merchantId: string, keyHash: Buffer) => Promise<Buffer | null>
  /** A token that can still be spent, or null: unknown, used, expired or another merchant's. */
  find: (tokenHash: Buffer, merchantId: string) => Promise<SpendableToken | null>
  /** Erases the cards of all tokens that have expired, and all else of them 30 days later. */
  eraseExpired: () => Promise<void>
}

export function createTokenStore(database: Database): TokenStore {
  return {
    async add({ tokenHash, merchantId, gatewayId, card, sealed, meta, keyHash }) {
      const { masterKeyId, wrappedDataKey, number, code } = sealed
      const added = await database.run(addToken, [
        tokenHash,
        merchantId,
        gatewayId,
        masterKeyId,
        wrappedDataKey,
        number,
        code,
        JSON.stringify(card),
        meta === undefined ? null : JSON.stringify(meta),
        keyHash,
      ])
      return added.length > 0
    },
    async findByKey(merchantId, keyHash) {
      const [row] = await database.run(findByKey, [merchantId, keyHash])
      return row?.token_hash ?? null
    },
    async find(tokenHash, merchantId) {
      const [row] = await database.run(findToken, [tokenHash, merchantId])
      if (row === undefined) return null
      const { gateway_id: gatewayId, card, is_sealed_with_token: isSealedWithToken } = row
      return { gatewayId, card, isSealedWithToken, sealed: sealedCardOf(row) }
    },
    async eraseExpired() {
      await database.run(eraseExpired, [])
      await database.run(deleteOld, [])
    },
  }
}

function sealedCardOf(row: TokenRow): SealedCard {
  const {
    master_key_id: masterKeyId,
    wrapped_data_key: wrappedDataKey,
    card_number: number,
    card_ccv: code,
  } = row
  return { masterKeyId, wrappedDataKey, number, code }
}
