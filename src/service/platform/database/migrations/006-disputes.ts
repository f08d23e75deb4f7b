/**
 * Card holders' disputes. `dispute_changes` has what was told and done, from which a dispute's state follows; `place` is the order in which
 * it was written. `disputes` repeats that state for lists and jobs. `dispute_sums` of a charge: after each change, how much of it is
 * disputed and how much was charged back.
 */
export const disputes = `
CREATE TABLE disputes (
  id text PRIMARY KEY,
  merchant_id text NOT NULL,
  charge_id text NOT NULL,
  gateway_id text NOT NULL,
  gateway_type text NOT NULL,
  external_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('needs_response', 'under_review', 'won', 'lost', 'accepted')),
  stage text NOT NULL CHECK (stage IN ('inquiry', 'chargeback', 'second_chargeback')),
  amount bigint NOT NULL,
  currency text NOT NULL,
  funds_withdrawn boolean NOT NULL,
  respond_by timestamptz(3),
  answer jsonb,
  send_after timestamptz(3),
  times_sent integer NOT NULL DEFAULT 0,
  remind_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  closed_at timestamptz(3)
);
CREATE INDEX disputes_of_merchant ON disputes (merchant_id, created_at DESC, id DESC);
CREATE INDEX disputes_by_status ON disputes (merchant_id, status, created_at DESC, id DESC);
CREATE INDEX disputes_by_deadline ON disputes (merchant_id, respond_by) WHERE status = 'needs_response';
CREATE INDEX disputes_of_charge ON disputes (charge_id);
CREATE INDEX disputes_at_gateway ON disputes (gateway_id, external_id);
CREATE INDEX disputes_to_send ON disputes (gateway_id, send_after) WHERE send_after IS NOT NULL;
CREATE INDEX disputes_to_remind ON disputes (remind_at) WHERE remind_at IS NOT NULL;
CREATE TABLE dispute_changes (
  id text PRIMARY KEY,
  dispute_id text NOT NULL,
  place bigint GENERATED ALWAYS AS IDENTITY,
  news_key text NOT NULL,
  entry jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX dispute_changes_once ON dispute_changes (dispute_id, news_key);
CREATE TABLE dispute_documents (
  id text PRIMARY KEY,
  dispute_id text NOT NULL,
  merchant_id text NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  content_type text NOT NULL,
  size integer NOT NULL,
  master_key_id text NOT NULL,
  wrapped_data_key bytea NOT NULL,
  content bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX dispute_documents_of ON dispute_documents (dispute_id, type);
CREATE INDEX dispute_documents_by_age ON dispute_documents (created_at);
ALTER TABLE charges ADD COLUMN dispute_sums jsonb NOT NULL DEFAULT '[]';
`

/** The disputes of the sandbox's card holders. `step`: how far it has got; `next_at`: when it goes on, null while it waits for the merchant. */
export const sandboxDisputes = `
CREATE TABLE sandbox_gateway.disputes (
  id text PRIMARY KEY,
  hold_id text NOT NULL,
  scenario text NOT NULL,
  amount bigint NOT NULL,
  currency text NOT NULL,
  step text NOT NULL,
  next_at timestamptz(3),
  respond_by timestamptz(3),
  answer_id text
);
CREATE INDEX sandbox_disputes_due ON sandbox_gateway.disputes (next_at) WHERE next_at IS NOT NULL;
`
