import { ConfigError } from '../config.ts'
import type { Database } from '../database/database.ts'
import { checkKnownKeys } from './known-keys.ts'
import { lackingKeys, wordsOn } from './lacking-keys.ts'
import type { MasterKeys } from './master-keys.ts'
import type { WrappedKeys } from './wrapped-keys.ts'

interface Start {
  database: Database
  keys: MasterKeys
  places: readonly WrappedKeys[]
  isSandbox: boolean
  warn: (words: string) => void
}

/**
 * Whether this start has the master keys that the database needs. Throws a `ConfigError` on one that is missing or has
 * changed, as cards would be refused that their holders have just typed. In a sandbox, whose database several people may
 * share with keys of their own, a missing one is a warning.
 */
export async function checkMasterKeys({ database, keys, places, isSandbox, warn }: Start): Promise<void> {
  await checkKnownKeys(database, keys)
  const lacking = await lackingKeys(places, keys)
  if (lacking.length === 0) return
  if (!isSandbox) throw new ConfigError(wordsOn(lacking))
  warn(wordsOn(lacking))
}
