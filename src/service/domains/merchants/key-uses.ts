import type { Database } from '../../platform/database/database.ts'
import { arrayOf, text } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { keyRecordOf } from './api-key.ts'
import type { Keys } from './keys.ts'

/** At most once an hour for each key. Skips a key that another process is writing. */
const recordUses = statement({
  name: 'record_uses_of_merchant_keys',
  values: { lookups: arrayOf(text) },
  columns: {},
  sql: `
    UPDATE merchant_keys SET last_used_at = now()
    WHERE lookup IN (
      SELECT lookup FROM merchant_keys
      WHERE lookup = ANY (:lookups) AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 hour')
      FOR NO KEY UPDATE SKIP LOCKED)`,
})

/** When keys were last used: remembered here as they are, and written by a job, so that no request waits for it. */
export interface KeyUses {
  /** The same look-up of keys, which remembers each that works. */
  remembering: (holderOf: Keys['holderOf']) => Keys['holderOf']
  /** Writes what was remembered. What a crash or a fault loses is remembered with the next use. */
  write: () => Promise<void>
}

export function createKeyUses(database: Database): KeyUses {
  const used = new Set<string>()
  return {
    remembering: (holderOf) => async (key, kind) => {
      const holder = await holderOf(key, kind)
      if (holder !== null) used.add(keyRecordOf(key).lookup)
      return holder
    },
    async write() {
      const lookups = [...used]
      used.clear()
      if (lookups.length > 0) await database.run(recordUses, { lookups })
    },
  }
}
