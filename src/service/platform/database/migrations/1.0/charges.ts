import type { Migration } from '../../migrate.ts'

export const charges: Migration = {
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
}
