/** One-time tokens of cards, charges, their attempts at gateways, and the figures about them. */
export const charges = `
-- A token and an idempotency key are kept as hashes only. The card is sealed, and erased once the token is spent or has expired.
CREATE TABLE payment_source_tokens (
  token_hash bytea PRIMARY KEY,
  merchant_id text NOT NULL,
  gateway_id text,
  master_key_id text,
  wrapped_data_key bytea,
  card_number bytea,
  card_ccv bytea,
  card jsonb NOT NULL,
  meta jsonb,
  idempotency_key_hash bytea,
  attempt_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  spent_at timestamptz(3)
);
CREATE UNIQUE INDEX payment_source_tokens_by_key_hash ON payment_source_tokens (merchant_id, idempotency_key_hash)
  WHERE idempotency_key_hash IS NOT NULL;
CREATE INDEX payment_source_tokens_to_erase ON payment_source_tokens (expires_at);
CREATE INDEX payment_source_tokens_with_card ON payment_source_tokens (expires_at) WHERE card_number IS NOT NULL;

-- release_from: from when an ended hold may be released. Null until its end was noticed, so that other charges pay nothing for
-- its index; infinity while an attempt has no outcome.
CREATE TABLE charges (
  id text PRIMARY KEY,
  merchant_id text NOT NULL,
  gateway_id text NOT NULL,
  token_hash bytea NOT NULL,
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
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  release_attempts integer NOT NULL DEFAULT 0,
  release_from timestamptz(3)
);
-- Merchants' lists and their filters, newest first.
CREATE INDEX charges_newest ON charges (merchant_id, created_at DESC, id DESC);
CREATE INDEX charges_by_status ON charges (merchant_id, status, created_at DESC, id DESC);
CREATE INDEX charges_by_gateway ON charges (merchant_id, gateway_id, created_at DESC, id DESC);
CREATE INDEX charges_by_amount ON charges (merchant_id, amount, created_at DESC, id DESC);
CREATE INDEX charges_by_scheme ON charges (merchant_id, (payment_source ->> 'card_scheme'), created_at DESC, id DESC);
-- Their last column is for filters by status: rows of others are passed over without being read.
CREATE INDEX charges_by_last4_and_status ON charges
  (merchant_id, (payment_source ->> 'card_number_last4'), created_at DESC, id DESC, status);
CREATE INDEX charges_by_reference_in_any_case ON charges
  (merchant_id, lower(reference COLLATE "C"), created_at DESC, id DESC, status) WHERE reference IS NOT NULL;
CREATE INDEX charges_by_email ON charges
  (merchant_id, lower((customer ->> 'email') COLLATE "C"), created_at DESC, id DESC) WHERE (customer ->> 'email') IS NOT NULL;
CREATE INDEX charges_by_card_name ON charges
  (merchant_id, lower((payment_source ->> 'card_name') COLLATE "C"), created_at DESC, id DESC);
-- Holds of a merchant by their end; for the jobs those not yet noticed as ended, and those to be released by account.
CREATE INDEX charges_by_end_of_hold ON charges (merchant_id, hold_expires_at) WHERE status = 'pending';
CREATE INDEX charges_held ON charges (hold_expires_at) WHERE status = 'pending' AND release_from IS NULL;
CREATE INDEX charges_to_release ON charges (gateway_id, release_from)
  WHERE status = 'pending' AND release_from IS NOT NULL;

-- user_id: who asked for it on the dashboard; null for the merchant's server, a shopper's page, and the service itself.
CREATE TABLE attempts (
  id text PRIMARY KEY,
  charge_id text NOT NULL REFERENCES charges (id),
  gateway_id text NOT NULL DEFAULT '',
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
  user_id text,
  source_ip text,
  idempotency_key_hash text,
  request_hash text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  settled_at timestamptz(3),
  ask_after timestamptz(3) NOT NULL,
  times_asked integer NOT NULL DEFAULT 0
);
CREATE INDEX attempts_of_charge ON attempts (charge_id);
CREATE INDEX attempts_by_external_id ON attempts (external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX attempts_by_idempotency_key ON attempts (idempotency_key_hash) WHERE idempotency_key_hash IS NOT NULL;
CREATE INDEX attempts_by_age ON attempts (created_at) WHERE idempotency_key_hash IS NOT NULL;
CREATE INDEX attempts_open_by_account ON attempts (gateway_id, ask_after) WHERE outcome = 'open';
-- Its condition is not outcome = 'open', or the planner would choose attempts_open_by_account in its place while few are open,
-- and keep that plan once many are.
CREATE INDEX attempts_open_by_age ON attempts (created_at) WHERE settled_at IS NULL;

-- Sums by quarter hour, hour and more, of which the days of every time zone are put together. A row is of one scheme and UTC
-- day, or of all schemes and six hours.
CREATE TABLE charge_tallies (
  merchant_id text NOT NULL,
  span_minutes integer NOT NULL,
  is_all_schemes boolean NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  currency text NOT NULL,
  scheme text NOT NULL,
  authorised_count bigint NOT NULL,
  authorised_cents bigint NOT NULL,
  captured_count bigint NOT NULL,
  captured_cents bigint NOT NULL,
  refunded_count bigint NOT NULL,
  refunded_cents bigint NOT NULL,
  cancelled_count bigint NOT NULL,
  cancelled_cents bigint NOT NULL,
  declined_count bigint NOT NULL,
  declined_cents bigint NOT NULL,
  PRIMARY KEY (merchant_id, span_minutes, is_all_schemes, starts_at, currency, scheme),
  CONSTRAINT charge_tallies_span_minutes_check
    CHECK (span_minutes IN (1440, 360, 60, 15) AND NOT (span_minutes = 1440 AND is_all_schemes))
);
CREATE TABLE charge_declines (
  merchant_id text NOT NULL,
  span_minutes integer NOT NULL CHECK (span_minutes IN (1440, 60, 15)),
  starts_at timestamptz(3) NOT NULL,
  currency text NOT NULL,
  reason text NOT NULL,
  count bigint NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (merchant_id, span_minutes, starts_at, currency, reason)
);
-- seq: all events up to this one are counted.
CREATE TABLE charge_tally_progress (
  name text PRIMARY KEY CHECK (name = 'charges'),
  seq bigint NOT NULL
);
INSERT INTO charge_tally_progress (name, seq) VALUES ('charges', 0);
`
