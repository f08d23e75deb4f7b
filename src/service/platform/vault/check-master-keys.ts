import { ConfigError } from '../errors.ts'
import type { Database } from '../database/database.ts'
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
  if (lacking.length > 0 && !isSandbox) throw new ConfigError(lackingKeysMessage(lacking))
  if (lacking.length > 0) warn(lackingKeysMessage(lacking))
  return secretsFor
}

/** A master key that this process lacks, although stored data keys need it. */
interface LackingKey {
  id: string
  /** In words, what the data keys open. */
  of: string
  count: number
}

/** The master keys that stored data keys need and the vault lacks. */
export async function lackingKeys(places: readonly WrappedKeys[], keys: MasterKeys): Promise<LackingKey[]> {
  const lacking: LackingKey[] = []
  for (const { of, countByMasterKey } of places)
    for (const [id, count] of await countByMasterKey())
      if (!keys.ids.includes(id)) lacking.push({ id, of, count })
  return lacking
}

/** One line that says what is missing and what to do. */
export function lackingKeysMessage(lacking: readonly LackingKey[]): string {
  const needs = lacking.map(({ id, of, count }) => `the key ${id}, which ${count} ${of} need`)
  return (
    `the vault lacks ${needs.join(', and ')}. Give it too, after the others, until svc vault rotate has said that ` +
    'nothing is left under it; if it is lost, svc vault rotate --lost KEY_ID gives up what needs it.'
  )
}
