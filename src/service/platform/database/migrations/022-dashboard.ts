import type { Migration } from '../migrate.ts'

/**
 * A public key is kept as it is, from now on: it stands in its merchant's pages, and the merchant looks it up here. The audit
 * log is read by merchants, and how far its chain was verified is kept. A webhook's deliveries are listed by their state.
 */
export const dashboard: Migration = {
  version: '022-dashboard',
  sql: `
ALTER TABLE merchant_keys ADD COLUMN key text CHECK (key IS NULL OR kind = 'public');
`,
}
