import type { Database } from './platform/database/database.ts'
import { agreementKeys } from './domains/agreements/accounts.ts'
import { idempotencyVaultKeys } from './platform/idempotency.ts'
import { stepKeys } from './domains/charges/authentication-store.ts'
import { documentKeys } from './domains/disputes/document-store.ts'
import { notificationKeys } from './domains/notifications/notification-secrets.ts'
import { gatewayKeys } from './domains/merchants/gateway-store.ts'
import { signingKeys } from './domains/oauth/signing-key-store.ts'
import { tokenKeys } from './domains/payment-sources/token-store.ts'
import { totpKeys } from './domains/users/second-factor-store.ts'
import { wrappedKeysIn } from './platform/vault/wrapped-keys.ts'
import type { KeyTable, WrappedKeys } from './platform/vault/wrapped-keys.ts'
import { formerSecretKeys, webhookKeys } from './domains/webhooks/webhook.ts'

/** Every table that keeps data keys under the master keys. A new one is added here. */
export const KEY_TABLES: readonly KeyTable[] = [
  tokenKeys,
  stepKeys,
  gatewayKeys,
  notificationKeys,
  documentKeys,
  webhookKeys,
  formerSecretKeys,
  idempotencyVaultKeys,
  signingKeys,
  agreementKeys,
  totpKeys,
]

/** The data keys of each of them in a database. */
export function allWrappedKeys(database: Database): readonly WrappedKeys[] {
  return KEY_TABLES.map((table) => wrappedKeysIn(database, table))
}
