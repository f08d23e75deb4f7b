import { ConfigError } from '../config.ts'
import { statement } from '../database/database.ts'
import type { Database } from '../database/database.ts'
import { decrypt, encrypt } from './aes-gcm.ts'
import type { MasterKeys } from './master-keys.ts'

const keep = statement(
  'keep_key_check',
  'INSERT INTO vault_keys (id, sealed_check) VALUES ($1, $2) ON CONFLICT DO NOTHING',
)
const find = statement<{ sealed_check: Buffer }>(
  'find_key_check',
  'SELECT sealed_check FROM vault_keys WHERE id = $1',
)

/**
 * Holds each master key against what it sealed when the database first saw its id. Throws a `ConfigError` when an id has
 * another key than before: processes that disagree would each make cards that the other can't open.
 */
export async function checkKnownKeys(database: Database, keys: MasterKeys): Promise<void> {
  for (const id of keys.ids) {
    const key = keys.byId(id)
    if (key === undefined) continue
    await database.run(keep, [id, encrypt(key, Buffer.from(id), 'vault-key-check')])
    const [row] = await database.run(find, [id])
    if (row === undefined || !opens(key, row.sealed_check)) {
      throw new ConfigError(
        `SVC_VAULT_KEYS has another key under the id ${id} than this database knows: give a new key an id of its own`,
      )
    }
  }
}

function opens(key: Buffer, sealed: Buffer): boolean {
  try {
    decrypt(key, sealed, 'vault-key-check')
    return true
  } catch {
    return false
  }
}
