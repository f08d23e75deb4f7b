import type { KeyTable } from '../../platform/vault/wrapped-keys.ts'
import { placeOf } from './webhook.ts'

/**
 * The data keys of webhooks' signing secrets, also of those that are disabled and may be enabled again. One whose secret is lost is
 * disabled until its merchant gives it another.
 */
export const webhookKeys: KeyTable = {
  of: 'webhook secrets',
  table: 'webhook_endpoints',
  id: 'id',
  idType: 'text',
  merchantId: 'merchant_id',
  name: 'id',
  placeOf: ({ merchantId, name }) => placeOf({ merchantId, id: name }),
  isNeeded: 'true',
  erase:
    'disabled_at = coalesce(disabled_at, now()), master_key_id = NULL, wrapped_data_key = NULL, secret = NULL',
}

/** Those of secrets that were replaced and sign on for a while. */
export const formerSecretKeys: KeyTable = {
  of: 'replaced webhook secrets',
  table: 'webhook_former_secrets',
  id: 'id',
  idType: 'text',
  merchantId: 'merchant_id',
  name: 'endpoint_id',
  placeOf: ({ merchantId, name }) => placeOf({ merchantId, id: name }),
  isNeeded: 'ends_at > now()',
  erase: 'ends_at = now()',
}
