import { createLocalKeyStore } from '../platform/vault/key-stores/local-key-store.ts'
import { joinKeyStores } from '../platform/vault/key-stores/master-keys.ts'
import type { MasterKeys } from '../platform/vault/key-stores/master-keys.ts'

/** Master keys as `SVC_VAULT_KEYS` gives them. */
export function localMasterKeys(text: string): MasterKeys {
  return joinKeyStores([createLocalKeyStore(text)])
}
