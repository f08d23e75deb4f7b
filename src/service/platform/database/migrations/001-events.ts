/** The audit log, in which each event is chained to the one before, and the webhooks that are told of events. */
export const events = `
-- Events that are not sealed yet. The statement that changes something writes its event here.
CREATE TABLE event_outbox (
  id text PRIMARY KEY,
  merchant_id text NOT NULL,
  type text NOT NULL,
  subject text NOT NULL,
  actor text NOT NULL,
  facts jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX event_outbox_oldest ON event_outbox (created_at, id);

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
CREATE INDEX events_newest ON events (merchant_id, created_at DESC, id DESC);
CREATE INDEX events_by_type ON events (merchant_id, type, created_at DESC, id DESC);
CREATE INDEX events_of_people ON events (merchant_id, created_at) WHERE actor NOT IN ('merchant', 'service');

-- The end of the chain, and how far it was verified. Both have one row.
CREATE TABLE event_chain (
  name text PRIMARY KEY,
  length bigint NOT NULL,
  hash bytea NOT NULL
);
INSERT INTO event_chain (name, length, hash) VALUES ('events', 0, decode(repeat('00', 32), 'hex'));
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

-- event_types: null for all types, also those that come to exist later. The secret is sealed; null where it is lost.
CREATE TABLE webhooks (
  id text PRIMARY KEY,
  merchant_id text NOT NULL,
  url text NOT NULL,
  event_types text[],
  master_key_id text,
  wrapped_data_key bytea,
  secret bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  disabled_at timestamptz(3)
);
CREATE INDEX webhooks_of_merchant ON webhooks (merchant_id);

-- Secrets that were replaced and sign beside the new one for a while.
CREATE TABLE webhook_former_secrets (
  id text PRIMARY KEY,
  webhook_id text NOT NULL,
  merchant_id text NOT NULL,
  master_key_id text NOT NULL,
  wrapped_data_key bytea NOT NULL,
  secret bytea NOT NULL,
  ends_at timestamptz(3) NOT NULL
);
CREATE INDEX webhook_former_secrets_of_webhook ON webhook_former_secrets (webhook_id);

-- Webhooks whose deliveries are still to be deleted, which a job does, as there may be many.
CREATE TABLE removed_webhooks (
  id text PRIMARY KEY,
  removed_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE webhook_deliveries (
  webhook_id text NOT NULL,
  event_id text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz(3) DEFAULT now(),
  last_status integer,
  last_fault text,
  delivered_at timestamptz(3),
  gave_up_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (webhook_id, event_id)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX webhook_deliveries_by_state ON webhook_deliveries (webhook_id,
  (CASE WHEN delivered_at IS NOT NULL THEN 'delivered' WHEN next_at IS NOT NULL THEN 'waiting' ELSE 'failed' END),
  created_at DESC, event_id DESC);
`
