import { createLocalKeyStore } from '../platform/vault/local-key-store.ts'
import { joinKeyStores } from '../platform/vault/master-keys.ts'
import type { MasterKeys } from '../platform/vault/master-keys.ts'

/** Master keys as `SVC_VAULT_KEYS` gives them. */
export function localMasterKeys(text: string): MasterKeys {
  return joinKeyStores([createLocalKeyStore(text)])
}
