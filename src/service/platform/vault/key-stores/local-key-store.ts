import { decrypt, encrypt } from '../aes-gcm.ts'
import { ConfigError } from '../../errors.ts'
import type { KeyStore } from './master-keys.ts'

const entry = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/

/**
 * Master keys that this process holds itself: AES-256-GCM. `text` has `id:base64` pairs, one a line or separated by
 * commas, 32 bytes each, the one to use first; `setting` is where it came from. Throws a `ConfigError` that never repeats a
 * key.
 */
export function createLocalKeyStore(text: string, setting = 'SVC_VAULT_KEYS'): KeyStore {
  const entries = text
    .trim()
    .split(/\s*[,\n]\s*/)
    .map((pair) => parseEntry(pair, setting))
  const keys = new Map(entries)
  if (keys.size < entries.length) throw new ConfigError(`${setting} must give each key an id of its own`)
  const keyOf = (id: string): Buffer => {
    const key = keys.get(id)
    if (key === undefined) throw new Error(`${setting} has no key ${id}`)
    return key
  }
  return {
    ids: [...keys.keys()],
    wrap: async (id, dataKey, { context }) => Promise.resolve(encrypt(keyOf(id), dataKey, context)),
    unwrap: async (id, wrapped, { context }) => Promise.resolve(decrypt(keyOf(id), wrapped, context)),
  }
}

function parseEntry(pair: string, setting: string): [string, Buffer] {
  const [, id, key] = entry.exec(pair) ?? []
  if (id === undefined || key === undefined) {
    throw new ConfigError(
      `${setting} must be id:key pairs, each key 32 bytes in base64, separated by commas or lines`,
    )
  }
  return [id, Buffer.from(key, 'base64')]
}
