import type { Migration } from '../migrate.ts'

/** Who has left a merchant's team, by the name that they had then. It stays when the person's account is deleted. */
export const formerMembers: Migration = {
  version: '040-former-members',
  sql: `
CREATE TABLE former_members (
  merchant_id text NOT NULL REFERENCES merchants (id),
  user_id text NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (merchant_id, user_id)
);
`,
}
