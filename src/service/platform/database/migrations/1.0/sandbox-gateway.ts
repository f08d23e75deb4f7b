import type { Migration } from '../../migrate.ts'

export const sandboxGateway: Migration = {
  version: '004-sandbox-gateway',
  sql: `
CREATE SCHEMA sandbox_gateway;
CREATE TABLE sandbox_gateway.holds (
  id text PRIMARY KEY,
  amount bigint NOT NULL,
  currency text NOT NULL,
  captured bigint NOT NULL,
  refunded bigint NOT NULL DEFAULT 0,
  state text NOT NULL CHECK (state IN ('held', 'captured', 'voided')),
  expires_at timestamptz(3) NOT NULL
);
CREATE TABLE sandbox_gateway.operations (
  attempt_id text PRIMARY KEY,
  kind text NOT NULL,
  hold_id text NOT NULL,
  amount bigint NOT NULL,
  result text NOT NULL CHECK (result IN ('approved', 'declined', 'not_received')),
  response_code text NOT NULL,
  reference text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
`,
}
