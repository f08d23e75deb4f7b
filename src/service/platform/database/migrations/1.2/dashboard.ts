import type { Migration } from '../../migrate.ts'

/**
 * A public key is kept as it is, from now on: it stands in its merchant's pages, and the merchant looks it up here. The audit
 * log is read by merchants, and how far its chain was verified is kept. A webhook's deliveries are listed by their state.
 */
export const dashboard: Migration = {
  version: '022-dashboard',
  sql: `
ALTER TABLE merchant_keys ADD COLUMN key text CHECK (key IS NULL OR kind = 'public');
CREATE INDEX events_of_people ON events (merchant_id, created_at) WHERE actor NOT IN ('merchant', 'service');
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (endpoint_id, created_at)
  WHERE delivered_at IS NULL AND next_at IS NULL;
CREATE TABLE event_chain_check (
  name text PRIMARY KEY CHECK (name = 'events'),
  length bigint NOT NULL,
  hash bytea NOT NULL,
  due_at timestamptz(3) NOT NULL DEFAULT now(),
  verified_length bigint NOT NULL DEFAULT 0,
  verified_hash bytea NOT NULL,
  verified_at timestamptz(3),
  broken_at bigint
);
INSERT INTO event_chain_check (name, length, hash, verified_hash)
VALUES ('events', 0, decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'));
`,
}

/** Who asked for an attempt on the dashboard; null: the merchant's server, a shopper's page, or the service by itself. */
export const usersOfAttempts: Migration = {
  version: '032-users-of-attempts',
  sql: 'ALTER TABLE attempts ADD COLUMN user_id text;',
}

/** When a key was last used, to the hour; null until it is. */
export const keyUses: Migration = {
  version: '042-key-uses',
  sql: 'ALTER TABLE merchant_keys ADD COLUMN last_used_at timestamptz(3);',
}
