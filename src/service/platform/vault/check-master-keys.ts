import { ConfigError } from '../../config.ts'
import type { Database } from '../database/database.ts'
import { lackingKeys, wordsOn } from './lacking-keys.ts'
import type { MasterKeys } from './key-stores/master-keys.ts'
import { openServiceSecrets } from './service-secrets.ts'
import type { SecretsFor } from './service-secrets.ts'
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
 * share with keys of their own, a missing one is a warning. Returns the service's secrets.
 */
export async function checkMasterKeys({
  database,
  keys,
  places,
  isSandbox,
  warn,
}: Start): Promise<SecretsFor> {
  const secretsFor = await openServiceSecrets(database, keys)
  const lacking = await lackingKeys(places, keys)
  if (lacking.length > 0 && !isSandbox) throw new ConfigError(wordsOn(lacking))
  if (lacking.length > 0) warn(wordsOn(lacking))
  return secretsFor
}
