import type { KeyTable } from '../vault/wrapped-keys.ts'

/** The data keys of cards. One whose token has expired is only erased any more, and needs no key for that. */
export const tokenKeys: KeyTable = {
  of: 'payment source tokens',
  table: 'payment_source_tokens',
  id: 'token',
  idType: 'uuid',
  place: "merchant_id || '/' || token",
  isNeeded: 'expires_at > now()',
  erase: 'card_number = NULL, card_ccv = NULL, wrapped_data_key = NULL',
}
