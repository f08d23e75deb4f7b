import type { Migration } from '../../migrate.ts'

export const vaultKeys: Migration = {
  version: '009-vault-keys',
  sql: `
CREATE TABLE vault_keys (
  id text PRIMARY KEY,
  sealed_check bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
`,
}
