import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'
import type { Config } from '../config.ts'

/** The keys that wrap data keys: the first wraps, all of them unwrap. */
export interface MasterKeys {
  current: { id: string; key: Buffer }
  ids: readonly string[]
  byId: (id: string) => Buffer | undefined
}

const entry = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/

/**
 * Reads `SVC_VAULT_KEYS`: `id:base64` pairs, comma-separated, 32 bytes each, the one to use first.
 * Throws a `ConfigError` that never repeats a key.
 */
export function parseMasterKeys(text: string): MasterKeys {
  const entries = text.split(',').map((pair) => parseEntry(pair.trim()))
  const keys = new Map(entries)
  if (keys.size < entries.length) throw new ConfigError('SVC_VAULT_KEYS must give each key an id of its own')
  const [first] = keys
  if (first === undefined) throw new ConfigError('SVC_VAULT_KEYS must hold a key')
  return { current: { id: first[0], key: first[1] }, ids: [...keys.keys()], byId: (id) => keys.get(id) }
}

/**
 * How to come by the master keys: those of `SVC_VAULT_KEYS`, which are right or wrong at once (`ConfigError`), before
 * anything is touched; or the sandbox's own, which need its data folder.
 */
export function masterKeySource({
  vaultKeys,
  dataDir,
}: Pick<Config, 'vaultKeys' | 'dataDir'>): () => MasterKeys {
  if (vaultKeys === undefined) return () => sandboxMasterKeys(dataDir)
  const keys = parseMasterKeys(vaultKeys)
  return () => keys
}

function parseEntry(pair: string): [string, Buffer] {
  const [, id, key] = entry.exec(pair) ?? []
  if (id === undefined || key === undefined) {
    throw new ConfigError(
      'SVC_VAULT_KEYS must be id:key pairs, each key 32 bytes in base64, separated by commas',
    )
  }
  return [id, Buffer.from(key, 'base64')]
}

/**
 * The sandbox's own key, made on the first start and kept in the data folder for this account only. Its id is its own
 * too: on a database that others share, their cards are known not to be ours.
 */
function sandboxMasterKeys(dataDir: string): MasterKeys {
  const file = join(dataDir, 'vault-keys')
  if (!existsSync(file)) {
    writeFileSync(file, `sandbox-${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}\n`, {
      mode: 0o600,
    })
  }
  return parseMasterKeys(readFileSync(file, 'utf8').trim())
}
