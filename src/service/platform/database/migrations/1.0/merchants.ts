import type { Migration } from '../../migrate.ts'

export const merchants: Migration = {
  version: '001-merchants',
  sql: `
CREATE TABLE merchants (
  id text PRIMARY KEY,
  name text NOT NULL,
  pre_auth boolean NOT NULL,
  allowed_origins text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE TABLE merchant_keys (
  lookup text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('public', 'secret')),
  hash bytea NOT NULL,
  merchant_id text NOT NULL REFERENCES merchants (id),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  revoked_at timestamptz(3)
);
CREATE TABLE gateways (
  id text PRIMARY KEY,
  merchant_id text NOT NULL REFERENCES merchants (id),
  name text NOT NULL,
  type text NOT NULL,
  is_default boolean NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX gateways_one_default ON gateways (merchant_id) WHERE is_default;
`,
}
