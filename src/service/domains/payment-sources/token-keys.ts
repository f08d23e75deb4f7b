import type { KeyTable, SealedRow } from '../../platform/vault/wrapped-keys.ts'
import { ERASED } from './token-claim.ts'

/** The place that a sealed card is bound to. `name`: the hash of its token. */
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
  name: "encode(token_hash, 'hex')",
  placeOf: cardPlaceOf,
  isNeeded: 'expires_at > now()',
  erase: ERASED,
}
