import type { KeyTable } from '../../platform/vault/wrapped-keys.ts'
import { ERASED } from './token-claim.ts'

/** The data keys of cards. Those of expired tokens are not needed: nothing of their cards is opened again. */
export const tokenKeys: KeyTable = {
  of: 'payment source tokens',
  table: 'payment_source_tokens',
  id: 'token_hash',
  idType: 'bytea',
  place: "merchant_id || '/' || coalesce(old_token::text, encode(token_hash, 'hex'))",
  isNeeded: 'expires_at > now()',
  erase: ERASED,
}
