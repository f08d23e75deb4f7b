import type { Migration } from '../migrate.ts'

/** When a key was last used, to the hour; null until it is. */
export const keyUses: Migration = {
  version: '042-key-uses',
  sql: 'ALTER TABLE merchant_keys ADD COLUMN last_used_at timestamptz(3);',
}
