import type { Database } from './database/database.ts'
import { requestKeys } from './idempotency/request-keys.ts'
import { gatewayKeys } from './merchants/gateway-keys.ts'
import { tokenKeys } from './payment-sources/token-keys.ts'
import { wrappedKeysIn } from './vault/wrapped-keys.ts'
import type { WrappedKeys } from './vault/wrapped-keys.ts'
import { webhookKeys } from './webhooks/webhook-keys.ts'

/** Every place that keeps data keys under the master keys. A new one is added here. */
export function allWrappedKeys(database: Database): readonly WrappedKeys[] {
  return [tokenKeys, gatewayKeys, webhookKeys, requestKeys].map((table) => wrappedKeysIn(database, table))
}
