import type { Migration } from '../../migrate.ts'

export const events: Migration = {
  version: '005-events',
  sql: `
CREATE TABLE event_outbox (
  id text PRIMARY KEY,
  merchant_id text NOT NULL,
  type text NOT NULL,
  subject text NOT NULL,
  actor text NOT NULL,
  facts jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE TABLE events (
  seq bigint PRIMARY KEY,
  id text NOT NULL,
  merchant_id text NOT NULL,
  type text NOT NULL,
  subject text NOT NULL,
  actor text NOT NULL,
  facts jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  hash bytea NOT NULL
);
CREATE UNIQUE INDEX events_by_id ON events (id);
CREATE INDEX events_of_merchant ON events (merchant_id, created_at);
CREATE TABLE event_chain (
  name text PRIMARY KEY,
  length bigint NOT NULL,
  hash bytea NOT NULL
);
INSERT INTO event_chain (name, length, hash) VALUES ('events', 0, decode(repeat('00', 32), 'hex'));
CREATE TABLE webhook_endpoints (
  id text PRIMARY KEY,
  merchant_id text NOT NULL,
  url text NOT NULL,
  event_types text[] NOT NULL,
  master_key_id text NOT NULL,
  wrapped_data_key bytea NOT NULL,
  secret bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  disabled_at timestamptz(3)
);
CREATE INDEX webhook_endpoints_of_merchant ON webhook_endpoints (merchant_id);
CREATE TABLE webhook_deliveries (
  endpoint_id text NOT NULL,
  event_id text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz(3) DEFAULT now(),
  last_status integer,
  last_fault text,
  delivered_at timestamptz(3),
  gave_up_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (endpoint_id, event_id)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (endpoint_id, created_at);
`,
}
