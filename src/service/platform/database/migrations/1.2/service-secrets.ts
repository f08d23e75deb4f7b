import type { Migration } from '../../migrate.ts'

/** A service secret per master key also tells whether an id still has the key that it had: it needs no check beside it. */
export const serviceSecrets: Migration = {
  version: '011-service-secrets',
  sql: `
ALTER TABLE vault_keys ALTER COLUMN sealed_check DROP NOT NULL;
ALTER TABLE vault_keys ADD COLUMN wrapped_secret bytea;
`,
}
