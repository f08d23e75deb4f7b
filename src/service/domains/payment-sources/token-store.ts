import { createHash } from 'node:crypto'
import type { BrowserFacts } from '../../../contract/api/charges/authentication.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import { bytea, jsonb, notNull, nullable, text } from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { batchColumns, batchOf, countIn } from '../../platform/jobs/batches.ts'
import type { SealedCard } from '../../platform/vault/vault.ts'
import type { KeyTable, SealedRow } from '../../platform/vault/wrapped-keys.ts'
import type { CardFacts } from './card.ts'

/** A token as it is stored: without the token itself. */
interface StoredToken {
  tokenHash: Buffer
  merchantId: string
  /** Null if any of the merchant's gateways may use it. */
  gatewayId: string | null
  card: CardFacts
  sealed: SealedCard
  meta: object | undefined
  browser: KeptBrowser | null
  /** Hash of the request's idempotency key; null if it has none. */
  keyHash: Buffer | null
}

/** A token that can be spent. */
type SpendableToken = Pick<StoredToken, 'merchantId' | 'gatewayId' | 'card' | 'sealed' | 'browser'>

/** What a card holder's browser told of itself, and the address that it came from. */
export type KeptBrowser = BrowserFacts & { accept: string; userAgent: string; address: string }

/** False if the merchant's idempotency key has been used before; then nothing is added. */
export async function addToken(database: Database, token: StoredToken): Promise<boolean> {
  const { masterKeyId, wrappedDataKey, number, code } = token.sealed
  const added = await database.grouped.run(insertToken, {
    token_hash: token.tokenHash,
    merchant_id: token.merchantId,
    gateway_id: token.gatewayId,
    master_key_id: masterKeyId,
    wrapped_data_key: wrappedDataKey,
    card_number: number,
    card_ccv: code,
    card: token.card,
    meta: token.meta ?? null,
    browser: token.browser,
    idempotency_key_hash: token.keyHash,
  })
  return added.length > 0
}

/** The hash of the token that a merchant's idempotency key was used for, spent or not. */
export async function findHashByKey(
  database: Queries,
  merchantId: string,
  keyHash: Buffer,
): Promise<Buffer | null> {
  const [row] = await database.run(selectByKey, { merchant_id: merchantId, key_hash: keyHash })
  return row?.token_hash ?? null
}

/** A token that can still be spent, by its merchant alone; null if it is unknown, used or expired. */
export async function findSpendable(database: Database, tokenHash: Buffer): Promise<SpendableToken | null> {
  const [row] = await database.grouped.run(selectToken, { token_hash: tokenHash })
  if (row === undefined) return null
  const { merchant_id: merchantId, gateway_id: gatewayId, card, browser } = row
  return { merchantId, gatewayId, card, browser, sealed: sealedCardOf(row) }
}

/** Erases the cards of some tokens that have expired; returns how many. */
export async function eraseExpired(database: Queries): Promise<number> {
  return countIn(await database.run(eraseSomeExpired, {}))
}

/** Deletes some tokens that expired 30 days ago; returns how many. */
export async function deleteOld(database: Queries): Promise<number> {
  return countIn(await database.run(deleteSomeOld, {}))
}

/**
 * The hash of a one-time token (SHA-256), which is kept here and with the charge that it paid. The token itself is a part of the key that
 * seals its card, so it is kept nowhere; it has 94 random bits, so nobody finds it from its hash.
 */
export function tokenHashOf(token: string): Buffer {
  return hashOf(`payment-source-token:${token}`)
}

/** The hash of an idempotency key; the token of its request is derived from the key. */
export function keyHashOf(idempotencyKey: string): Buffer {
  return hashOf(`tokenise-idempotency-key:${idempotencyKey}`)
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Erases everything that a row has of its card's number and code, and of its holder's browser. */
const ERASED = 'card_number = NULL, card_ccv = NULL, wrapped_data_key = NULL, browser = NULL'

/**
 * SQL that takes, spends or releases a token within an attempt's own statement, so that the two can't come apart. `token` (its hash),
 * `merchant` and `attempt` are SQL, such as `:token_hash`.
 */
export const tokenClaim = {
  /** Takes the token for one attempt; returns no row if it can't be taken. */
  take: ({ token, merchant, attempt }: { token: string; merchant: string; attempt: string }) =>
    `UPDATE payment_source_tokens SET attempt_id = ${attempt}
     WHERE token_hash = ${token} AND merchant_id = ${merchant}
       AND attempt_id IS NULL AND card_number IS NOT NULL AND expires_at > now()
     RETURNING token_hash`,
  /** Spends it and erases the card: the code may not outlive its authorisation (PCI DSS 3.3.1). */
  spend: ({ token, attempt }: { token: string; attempt: string }) =>
    `UPDATE payment_source_tokens SET spent_at = now(), ${ERASED}
     WHERE token_hash = ${token} AND attempt_id = ${attempt}`,
  /** Gives it back: nothing was sent. */
  release: ({ token, attempt }: { token: string; attempt: string }) =>
    `UPDATE payment_source_tokens SET attempt_id = NULL WHERE token_hash = ${token} AND attempt_id = ${attempt}`,
} as const

/** The place that a sealed card is bound to. `name`: the hash of its token. */
export function cardPlaceOf({ merchantId, name }: SealedRow): string {
  return `${merchantId}/${name}`
}

/** Where the data keys of cards are. An expired token needs no key: its card is only erased. */
export const tokenKeys: KeyTable = {
  of: 'payment source tokens',
  table: 'payment_source_tokens',
  id: 'token_hash',
  idType: 'bytea',
  merchantId: 'merchant_id',
  name: "encode(token_hash, 'hex')",
  placeOf: cardPlaceOf,
  isNeeded: 'expires_at > now()',
  erase: ERASED,
}

/** How long a token can be spent (contract §3). */
const LIFETIME = "interval '3 hours'"

const insertToken = statement({
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
    browser: nullable(jsonb<KeptBrowser>()),
    idempotency_key_hash: nullable(bytea),
  },
  columns: { token_hash: bytea },
  sql: `
    INSERT INTO payment_source_tokens
      (token_hash, merchant_id, gateway_id, master_key_id, wrapped_data_key, card_number, card_ccv, card, meta, browser,
       idempotency_key_hash, expires_at)
    VALUES (:token_hash, :merchant_id, :gateway_id, :master_key_id, :wrapped_data_key, :card_number, :card_ccv, :card,
            :meta, :browser, :idempotency_key_hash, now() + ${LIFETIME})
    ON CONFLICT DO NOTHING RETURNING token_hash`,
})
const selectByKey = statement({
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
  browser: nullable(jsonb<KeptBrowser>()),
  master_key_id: notNull(text),
  wrapped_data_key: notNull(bytea),
  card_number: notNull(bytea),
  card_ccv: notNull(bytea),
  merchant_id: text,
}
export const selectToken = statement({
  name: 'find_token',
  values: { token_hash: bytea },
  columns: tokenColumns,
  sql: `
    SELECT gateway_id, card, browser, master_key_id, wrapped_data_key, card_number, card_ccv, merchant_id
    FROM payment_source_tokens
    WHERE token_hash = :token_hash AND attempt_id IS NULL AND expires_at > now()
      AND card_number IS NOT NULL AND card_ccv IS NOT NULL AND wrapped_data_key IS NOT NULL AND master_key_id IS NOT NULL`,
})
const eraseSomeExpired = statement({
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
const deleteSomeOld = statement({
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

function sealedCardOf(row: ValuesOf<typeof tokenColumns>): SealedCard {
  const {
    master_key_id: masterKeyId,
    wrapped_data_key: wrappedDataKey,
    card_number: number,
    card_ccv: code,
  } = row
  return { masterKeyId, wrappedDataKey, number, code }
}
