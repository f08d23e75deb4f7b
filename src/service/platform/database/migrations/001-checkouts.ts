/** Checkout intents and the templates that they are made with. */
export const checkouts = `
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
  payment_source_hash bytea,
  tries integer NOT NULL DEFAULT 0,
  viewed_at timestamptz(3),
  idempotency_key_hash text,
  request_hash text,
  revision integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX checkout_intents_newest ON checkout_intents (merchant_id, created_at DESC, id DESC);
CREATE INDEX checkout_intents_by_status ON checkout_intents (merchant_id, status, created_at DESC, id DESC);
CREATE INDEX checkout_intents_by_reference_and_status ON checkout_intents
  (merchant_id, reference, status, created_at DESC, id DESC) WHERE reference IS NOT NULL;
CREATE INDEX checkout_intents_by_configuration ON checkout_intents
  (merchant_id, (configuration ->> 'templateId'), created_at DESC, id DESC) WHERE (configuration ->> 'templateId') IS NOT NULL;
CREATE INDEX checkout_intents_by_customisation ON checkout_intents
  (merchant_id, (customisation ->> 'templateId'), created_at DESC, id DESC) WHERE (customisation ->> 'templateId') IS NOT NULL;
CREATE UNIQUE INDEX checkout_intents_by_idempotency_key ON checkout_intents (idempotency_key_hash) WHERE idempotency_key_hash IS NOT NULL;
CREATE INDEX checkout_intents_by_age ON checkout_intents (created_at) WHERE idempotency_key_hash IS NOT NULL;
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
`
