import type { KeyTable, SealedRow } from '../../platform/vault/wrapped-keys.ts'
import { ERASED } from './token-claim.ts'

/** Where a card is kept, bound to what is sealed; `name`: its token's hash, of an old one the token itself. */
export function cardPlaceOf({ merchantId, name }: SealedRow): string {
  return `${merchantId}/${name}`
}

/** The data keys of cards. An expired token needs no key: its card is only erased. */
export const tokenKeys: KeyTable = {
  of: 'payment source tokens',
  table: 'payment_source_tokens',
  id: 'token_hash',
  idType: 'bytea',
  merchantId: 'merchant_id',
  name: "coalesce(old_token::text, encode(token_hash, 'hex'))",
  placeOf: cardPlaceOf,
  isNeeded: 'expires_at > now()',
  erase: ERASED,
}
