import type { Migration } from './migrate.ts'

/** Every step of the schema, oldest first. A landed step never changes; a change is a new step. */
export const migrations: readonly Migration[] = [
  {
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
  },
  {
    version: '002-payment-source-tokens',
    sql: `
CREATE TABLE payment_source_tokens (
  token uuid PRIMARY KEY,
  merchant_id text NOT NULL,
  gateway_id text,
  master_key_id text,
  wrapped_data_key bytea,
  card_number bytea,
  card_ccv bytea,
  card jsonb NOT NULL,
  meta jsonb,
  idempotency_key text,
  attempt_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  spent_at timestamptz(3)
);
CREATE UNIQUE INDEX payment_source_tokens_by_key ON payment_source_tokens (merchant_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX payment_source_tokens_to_erase ON payment_source_tokens (expires_at);
`,
  },
  {
    version: '003-charges',
    sql: `
CREATE TABLE charges (
  id text PRIMARY KEY,
  merchant_id text NOT NULL,
  gateway_id text NOT NULL,
  token uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('processing', 'pending', 'complete', 'cancelled', 'failed', 'refunded')),
  pre_auth boolean NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  reference text,
  description text,
  customer json NOT NULL,
  payment_source json NOT NULL,
  source_ip text,
  hold_expires_at timestamptz(3),
  open_attempt_id text,
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX charges_newest ON charges (merchant_id, created_at DESC, id DESC);
CREATE INDEX charges_on_hold ON charges (hold_expires_at) WHERE status = 'pending';
CREATE TABLE attempts (
  id text PRIMARY KEY,
  charge_id text NOT NULL REFERENCES charges (id),
  type text NOT NULL CHECK (type IN ('sale', 'capture', 'cancel', 'refund')),
  reason text,
  reference text,
  amount bigint NOT NULL CHECK (amount > 0),
  outcome text NOT NULL CHECK (outcome IN ('open', 'approved', 'declined', 'unreachable', 'not_received')),
  decline_reason text,
  gateway_code text,
  gateway_description text,
  external_id text,
  external_reference text,
  source_ip text,
  request_key text,
  request_hash text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  settled_at timestamptz(3),
  ask_after timestamptz(3) NOT NULL,
  times_asked integer NOT NULL DEFAULT 0
);
CREATE INDEX attempts_of_charge ON attempts (charge_id);
CREATE UNIQUE INDEX attempts_by_request ON attempts (request_key) WHERE request_key IS NOT NULL;
CREATE INDEX attempts_by_age ON attempts (created_at) WHERE request_key IS NOT NULL;
CREATE INDEX attempts_to_ask ON attempts (ask_after) WHERE outcome = 'open';
`,
  },
  {
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
  },
]
