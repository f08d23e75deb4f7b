import { hkdfSync, randomBytes } from 'node:crypto'
import { ConfigError, ServiceError } from '../errors.ts'
import type { Database } from '../database/database.ts'
import { bytea, text } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { MasterKeys } from './key-stores/master-keys.ts'

/** Secrets for a purpose, by master key, the current one first: rotating the master keys rotates these too. */
export type SecretsFor = (purpose: string) => ReadonlyMap<string, Buffer>

const SECRET_BYTES = 32

const keep = statement({
  name: 'keep_service_secret',
  values: { id: text, wrapped_secret: bytea },
  columns: {},
  sql: `
    INSERT INTO vault_keys (id, wrapped_secret) VALUES (:id, :wrapped_secret) ON CONFLICT DO NOTHING`,
})
const find = statement({
  name: 'find_service_secret',
  values: { id: text },
  columns: { wrapped_secret: bytea },
  sql: 'SELECT wrapped_secret FROM vault_keys WHERE id = :id',
})

/**
 * Opens the random secret of each master key, made when the database first sees the key's id; all processes get the same. Throws a
 * `ConfigError` if a key can't be used now, or if its id had another key before: two such processes could not open each other's cards.
 */
export async function openServiceSecrets(database: Database, keys: MasterKeys): Promise<SecretsFor> {
  const secrets = new Map<string, Buffer>()
  for (const id of keys.ids) secrets.set(id, await secretOf(database, keys, id))
  return (purpose) => new Map([...secrets].map(([id, secret]) => [id, derive(secret, purpose)]))
}

/** Whether any process was ever started with this master key. */
export async function isKnownToProcesses(database: Database, id: string): Promise<boolean> {
  const [known] = await database.run(find, { id })
  return known !== undefined
}

async function secretOf(database: Database, keys: MasterKeys, id: string): Promise<Buffer> {
  const [known] = await database.run(find, { id })
  if (known === undefined) {
    const fresh = keys.wrap(randomBytes(SECRET_BYTES), 'service-secret', id)
    const { wrappedDataKey } = await fresh.catch((error: unknown) => unusable(id, error))
    await database.run(keep, { id, wrapped_secret: wrappedDataKey })
  }
  // Another process may have been faster: its secret counts.
  const [kept] = await database.run(find, { id })
  if (kept === undefined) throw new Error('the secret that was just kept is not there')
  return openKnown(keys, id, kept.wrapped_secret)
}

async function openKnown(keys: MasterKeys, id: string, wrappedDataKey: Buffer): Promise<Buffer> {
  try {
    return await keys.unwrap({ masterKeyId: id, wrappedDataKey }, 'service-secret')
  } catch (error) {
    if (error instanceof ServiceError) unusable(id, error)
    throw new ConfigError(
      `the vault has another key under the id ${id} than this database knows: give a new key an id of its own`,
    )
  }
}

/** The key store is out of reach, or refuses the key: a key service does so when it has no key of this name. */
function unusable(id: string, error: unknown): never {
  const cause = error instanceof ServiceError ? (error.cause ?? error) : error
  const words = cause instanceof Error ? cause.message : String(cause)
  throw new ConfigError(`the master key ${id} cannot be used: ${words}`)
}

/** HKDF-SHA256 (RFC 5869): no two purposes share a secret. */
function derive(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}
