import { statement } from '../database/database.ts'
import type { Database } from '../database/database.ts'
import type { SealedCard } from '../vault/vault.ts'
import type { CardFacts } from './payment-source.ts'

/** How long a token can be spent (contract §3). */
const LIFETIME = "interval '3 hours'"

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }

interface TokenRow {
  gateway_id: string | null
  card: CardFacts
  master_key_id: string
  wrapped_data_key: Buffer
  card_number: Buffer
  card_ccv: Buffer
}

export interface StoredToken {
  token: string
  merchantId: string
  /** Null when any of the merchant's gateways may use it. */
  gatewayId: string | null
  card: CardFacts
  sealed: SealedCard
  meta: unknown
  /** Under which the same request may come again; null when it may not. */
  idempotencyKey: string | null
}

const addToken = statement<{ token: string }>(
  'add_token',
  `INSERT INTO payment_source_tokens
     (token, merchant_id, gateway_id, master_key_id, wrapped_data_key, card_number, card_ccv, card, meta,
      idempotency_key, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + ${LIFETIME})
   ON CONFLICT DO NOTHING RETURNING token`,
)
const findByKey = statement<Nullable<TokenRow> & { token: string; card: CardFacts }>(
  'find_token_by_key',
  'SELECT token, gateway_id, card, master_key_id, wrapped_data_key, card_number, card_ccv FROM payment_source_tokens WHERE merchant_id = $1 AND idempotency_key = $2',
)
export const findToken = statement<TokenRow>(
  'find_token',
  `SELECT gateway_id, card, master_key_id, wrapped_data_key, card_number, card_ccv FROM payment_source_tokens
   WHERE token = $1 AND merchant_id = $2 AND attempt_id IS NULL AND card_number IS NOT NULL AND expires_at > now()`,
)
const eraseExpired = statement(
  'erase_expired_tokens',
  `UPDATE payment_source_tokens SET card_number = NULL, card_ccv = NULL, wrapped_data_key = NULL
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
  /** `sealed` is null once the card has been erased. */
  findByKey: (
    merchantId: string,
    idempotencyKey: string,
  ) => Promise<{ token: string; card: CardFacts; sealed: SealedCard | null } | null>
  /** A token that can still be spent, or null: unknown, used, expired or another merchant's. */
  find: (token: string, merchantId: string) => Promise<Omit<StoredToken, 'meta' | 'idempotencyKey'> | null>
  /** Erases the cards of all tokens that have expired, and all else of them 30 days later. */
  eraseExpired: () => Promise<void>
}

export function createTokenStore(database: Database): TokenStore {
  return {
    async add({ token, merchantId, gatewayId, card, sealed, meta, idempotencyKey }) {
      const { masterKeyId, wrappedDataKey, number, code } = sealed
      const added = await database.run(addToken, [
        token,
        merchantId,
        gatewayId,
        masterKeyId,
        wrappedDataKey,
        number,
        code,
        JSON.stringify(card),
        meta === undefined ? null : JSON.stringify(meta),
        idempotencyKey,
      ])
      return added.length > 0
    },
    async findByKey(merchantId, key) {
      const [row] = await database.run(findByKey, [merchantId, key])
      return row === undefined ? null : { token: row.token, card: row.card, sealed: sealedCardOf(row) }
    },
    async find(token, merchantId) {
      const [row] = await database.run(findToken, [token, merchantId])
      if (row === undefined) return null
      const sealed = sealedCardOf(row)
      if (sealed === null) return null
      return { token, merchantId, gatewayId: row.gateway_id, card: row.card, sealed }
    },
    async eraseExpired() {
      await database.run(eraseExpired, [])
      await database.run(deleteOld, [])
    },
  }
}

function sealedCardOf(row: Nullable<TokenRow>): SealedCard | null {
  const {
    master_key_id: masterKeyId,
    wrapped_data_key: wrappedDataKey,
    card_number: number,
    card_ccv: code,
  } = row
  if (masterKeyId === null || wrappedDataKey === null || number === null || code === null) return null
  return { masterKeyId, wrappedDataKey, number, code }
}
