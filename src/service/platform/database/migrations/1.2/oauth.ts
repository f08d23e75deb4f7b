import type { Migration } from '../../migrate.ts'

/**
 * Programs of merchants that ask with access tokens, and the keys that sign the tokens. `issuer` is null for a client of the
 * service's own issuer, which has secrets here. A key's `generation` lets one of several processes make the next key.
 */
export const oauth: Migration = {
  version: '016-oauth',
  sql: `
CREATE TABLE oauth_clients (
  id text PRIMARY KEY,
  merchant_id text NOT NULL REFERENCES merchants (id),
  issuer text,
  scopes text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  revoked_at timestamptz(3)
);
CREATE INDEX oauth_clients_of_merchant ON oauth_clients (merchant_id, created_at, id);
CREATE TABLE oauth_secrets (
  hash bytea PRIMARY KEY,
  client_id text NOT NULL REFERENCES oauth_clients (id),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  revoked_at timestamptz(3)
);
CREATE INDEX oauth_secrets_of_client ON oauth_secrets (client_id);
CREATE TABLE oauth_signing_keys (
  id text PRIMARY KEY,
  generation integer NOT NULL UNIQUE,
  public_jwk jsonb NOT NULL,
  master_key_id text,
  wrapped_data_key bytea,
  private_jwk bytea,
  signs_from timestamptz(3) NOT NULL
);
`,
}
