import type { KeyTable } from '../../platform/vault/wrapped-keys.ts'
import { placeOf } from './webhook.ts'

/** The data keys of webhooks' signing secrets. One whose secret is lost is disabled: its merchant makes another. */
export const webhookKeys: KeyTable = {
  of: 'webhook secrets',
  table: 'webhook_endpoints',
  id: 'id',
  idType: 'text',
  merchantId: 'merchant_id',
  name: 'id',
  placeOf: ({ merchantId, name }) => placeOf({ merchantId, id: name }),
  isNeeded: 'disabled_at IS NULL',
  erase: 'disabled_at = now()',
}
