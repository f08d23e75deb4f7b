import { ConfigError } from '../errors.ts'
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
 * Checks that this start has the master keys that the database needs. Throws a `ConfigError` when one is missing or has changed:
 * otherwise cards would be refused that their holders have just typed. In a sandbox a missing key is a warning, as several people
 * may share its database, each with keys of their own. Returns the service's secrets.
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
