/** Agreements, their changes and payments, and the instructions to the payment network. */
export const agreements = `
-- accounts: sealed. due_days_done_until: the last day whose due payments were collected, which a change of the terms keeps.
CREATE TABLE agreements (
  id text PRIMARY KEY,
  merchant_id text NOT NULL,
  type text NOT NULL CHECK (type IN ('oneoff', 'recurring', 'adhoc')),
  status text NOT NULL CHECK (status IN ('created', 'active', 'suspended', 'cancelled', 'expired')),
  version integer NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 0,
  description text NOT NULL,
  short_description text,
  purpose text NOT NULL,
  start_date text NOT NULL,
  end_date text,
  debtor jsonb NOT NULL,
  creditor jsonb NOT NULL,
  master_key_id text,
  wrapped_data_key bytea,
  accounts bytea,
  terms jsonb NOT NULL,
  max_payments integer,
  response_required_by timestamptz(3) NOT NULL,
  pending_amendment jsonb,
  amendment_required_by timestamptz(3),
  suspended_by text CHECK (suspended_by IN ('creditor', 'debtor', 'both')),
  reason jsonb,
  reference text,
  metadata jsonb NOT NULL,
  next_due_on text,
  due_days_done_until text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX agreements_newest ON agreements (merchant_id, created_at DESC, id DESC);
CREATE INDEX agreements_by_status ON agreements (merchant_id, status, created_at DESC, id DESC);
CREATE INDEX agreements_by_type ON agreements (merchant_id, type, created_at DESC, id DESC);
CREATE INDEX agreements_by_status_and_type ON agreements (merchant_id, status, type, created_at DESC, id DESC);
-- One value of all four, so that the planner takes no other index for it, nor it for another.
CREATE INDEX agreements_by_reference ON agreements
  ((ARRAY[merchant_id, reference, status, type]), created_at DESC, id DESC) WHERE reference IS NOT NULL;
CREATE INDEX agreements_unanswered ON agreements (response_required_by) WHERE status = 'created';
CREATE INDEX agreements_unamended ON agreements (amendment_required_by) WHERE amendment_required_by IS NOT NULL;
CREATE INDEX agreements_ending ON agreements (end_date)
  WHERE end_date IS NOT NULL AND status IN ('active', 'suspended');
CREATE INDEX agreements_due ON agreements (next_due_on) WHERE next_due_on IS NOT NULL AND status = 'active';

CREATE TABLE agreement_changes (
  id text PRIMARY KEY,
  agreement_id text NOT NULL,
  revision integer NOT NULL,
  type text NOT NULL,
  changed_by text NOT NULL CHECK (changed_by IN ('creditor', 'debtor', 'service')),
  notice_id text,
  reason jsonb,
  facts jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX agreement_changes_in_order ON agreement_changes (agreement_id, revision);
CREATE UNIQUE INDEX agreement_changes_by_notice ON agreement_changes (notice_id) WHERE notice_id IS NOT NULL;

CREATE TABLE network_instructions (
  id text PRIMARY KEY,
  agreement_id text NOT NULL,
  merchant_id text NOT NULL,
  revision integer NOT NULL,
  content jsonb NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX network_instructions_due ON network_instructions (merchant_id, next_at);
CREATE INDEX network_instructions_of_agreement ON network_instructions (agreement_id, revision, id);

-- agreement_revision: the agreement's last change before the payment, so that the network gets both in their order.
CREATE TABLE agreement_payments (
  id text PRIMARY KEY,
  agreement_id text NOT NULL,
  merchant_id text NOT NULL,
  agreement_version integer NOT NULL,
  agreement_revision integer,
  status text NOT NULL
    CHECK (status IN ('received', 'processing', 'settled', 'failed', 'under_investigation')),
  amount bigint NOT NULL CHECK (amount > 0),
  reference text NOT NULL,
  description text,
  is_last boolean NOT NULL,
  due_on text,
  counts_on text NOT NULL,
  failure jsonb,
  network_reference text,
  next_at timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  idempotency_key_hash text,
  request_hash text,
  created_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3),
  investigated_at timestamptz(3),
  ended_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX agreement_payments_newest ON agreement_payments (agreement_id, created_at DESC, id DESC);
CREATE INDEX agreement_payments_by_status ON agreement_payments (merchant_id, status, created_at DESC, id DESC);
CREATE INDEX agreement_payments_counted ON agreement_payments (agreement_id, counts_on) WHERE status <> 'failed';
CREATE UNIQUE INDEX agreement_payments_once_a_due_day ON agreement_payments (agreement_id, due_on)
  WHERE due_on IS NOT NULL;
CREATE UNIQUE INDEX agreement_payments_last ON agreement_payments (agreement_id) WHERE is_last AND status <> 'failed';
CREATE UNIQUE INDEX agreement_payments_by_idempotency_key ON agreement_payments (idempotency_key_hash) WHERE idempotency_key_hash IS NOT NULL;
CREATE INDEX agreement_payments_by_age ON agreement_payments (created_at) WHERE idempotency_key_hash IS NOT NULL;
CREATE INDEX agreement_payments_to_send ON agreement_payments (merchant_id, next_at)
  WHERE next_at IS NOT NULL AND status = 'received';
CREATE INDEX agreement_payments_unanswered ON agreement_payments (merchant_id, next_at)
  WHERE next_at IS NOT NULL AND status IN ('processing', 'under_investigation');
`
