import type { MasterKeys, WrappedKey } from './key-stores/master-keys.ts'

/** Wraps a data key with the current master key; it opens in no other `place`. */
export function wrap(keys: MasterKeys, dataKey: Buffer, place: string): Promise<WrappedKey> {
  return keys.wrap(dataKey, `${place}/data-key`)
}

/** The data key; throws `MissingKey` when it is under a master key that this process was not given. */
export function unwrap(keys: MasterKeys, wrapped: WrappedKey, place: string): Promise<Buffer> {
  return keys.unwrap(wrapped, `${place}/data-key`)
}
