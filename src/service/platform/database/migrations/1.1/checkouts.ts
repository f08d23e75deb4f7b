import type { Migration } from '../../migrate.ts'

export const checkouts: Migration = {
  version: '007-checkouts',
  sql: `
CREATE TABLE checkout_intents (
  id text PRIMARY KEY,
  merchant_id text NOT NULL,
  workflow_version integer NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'completed', 'expired', 'cancelled')),
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  reference text,
  description text,
  customer json NOT NULL,
  configuration json NOT NULL,
  customisation json NOT NULL,
  journey jsonb NOT NULL,
  charge_id text,
  payment_source uuid,
  tries integer NOT NULL DEFAULT 0,
  viewed_at timestamptz(3),
  request_key text,
  request_hash text,
  revision integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX checkout_intents_newest ON checkout_intents (merchant_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX checkout_intents_by_request ON checkout_intents (request_key) WHERE request_key IS NOT NULL;
CREATE INDEX checkout_intents_active ON checkout_intents (expires_at) WHERE status = 'active';
CREATE TABLE checkout_templates (
  id text PRIMARY KEY,
  merchant_id text NOT NULL,
  type text NOT NULL CHECK (type IN ('configuration', 'customisation')),
  version integer NOT NULL,
  label text,
  content json NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX checkout_templates_newest ON checkout_templates (merchant_id, type, created_at DESC, id DESC);
`,
}
