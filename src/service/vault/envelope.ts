import { decrypt, encrypt } from './aes-gcm.ts'
import type { MasterKeys } from './master-keys.ts'

/** A data key as it is kept: wrapped by a master key. */
export interface WrappedKey {
  masterKeyId: string
  wrappedDataKey: Buffer
}

/** An operator took a key away, or processes on one database were given different ones. */
export class MissingKey extends Error {
  override readonly name = 'MissingKey'

  constructor(id: string) {
    super(`SVC_VAULT_KEYS lacks the key ${id}`)
  }
}

/** Wraps a data key with the current master key; it opens in no other `place`. */
export function wrap(keys: MasterKeys, dataKey: Buffer, place: string): WrappedKey {
  return {
    masterKeyId: keys.current.id,
    wrappedDataKey: encrypt(keys.current.key, dataKey, `${place}/data-key`),
  }
}

/** The data key; throws `MissingKey` when it is under a master key that this process was not given. */
export function unwrap(keys: MasterKeys, { masterKeyId, wrappedDataKey }: WrappedKey, place: string): Buffer {
  const masterKey = keys.byId(masterKeyId)
  if (masterKey === undefined) throw new MissingKey(masterKeyId)
  return decrypt(masterKey, wrappedDataKey, `${place}/data-key`)
}
