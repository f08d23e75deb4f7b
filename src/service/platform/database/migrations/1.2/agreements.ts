import type { Migration } from '../../migrate.ts'

/** Agreements, what happened to them, what the network is to be told of them, and their payments. */
export const agreements: Migration = {
  version: '017-agreements',
  sql: `
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
  most_payments integer,
  response_required_by timestamptz(3) NOT NULL,
  pending_amendment jsonb,
  amendment_required_by timestamptz(3),
  suspended_by text CHECK (suspended_by IN ('creditor', 'debtor')),
  reason jsonb,
  reference text,
  metadata jsonb NOT NULL,
  next_due_on text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX agreements_newest ON agreements (merchant_id, created_at DESC, id DESC);
CREATE INDEX agreements_by_reference ON agreements (merchant_id, reference, created_at DESC, id DESC)
  WHERE reference IS NOT NULL;
CREATE INDEX agreements_by_status ON agreements (merchant_id, status, created_at DESC, id DESC);
CREATE INDEX agreements_by_type ON agreements (merchant_id, type, created_at DESC, id DESC);
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
  by_whom text NOT NULL CHECK (by_whom IN ('creditor', 'debtor', 'service')),
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
CREATE TABLE agreement_payments (
  id text PRIMARY KEY,
  agreement_id text NOT NULL,
  merchant_id text NOT NULL,
  agreement_version integer NOT NULL,
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
  created_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3),
  investigated_at timestamptz(3),
  ended_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX agreement_payments_newest ON agreement_payments (agreement_id, created_at DESC, id DESC);
CREATE INDEX agreement_payments_counted ON agreement_payments (agreement_id, counts_on) WHERE status <> 'failed';
CREATE UNIQUE INDEX agreement_payments_once_a_due_day ON agreement_payments (agreement_id, due_on)
  WHERE due_on IS NOT NULL;
CREATE UNIQUE INDEX agreement_payments_last ON agreement_payments (agreement_id) WHERE is_last AND status <> 'failed';
CREATE INDEX agreement_payments_to_send ON agreement_payments (merchant_id, next_at)
  WHERE next_at IS NOT NULL AND status = 'received';
CREATE INDEX agreement_payments_unanswered ON agreement_payments (merchant_id, next_at)
  WHERE next_at IS NOT NULL AND status IN ('processing', 'under_investigation');
`,
}

/** A payment that a merchant sent under an idempotency key is found again by it. */
export const paymentRequests: Migration = {
  version: '038-payment-requests',
  sql: `
ALTER TABLE agreement_payments ADD COLUMN request_key text, ADD COLUMN request_hash text;
CREATE UNIQUE INDEX agreement_payments_by_request ON agreement_payments (request_key) WHERE request_key IS NOT NULL;
CREATE INDEX agreement_payments_by_age ON agreement_payments (created_at) WHERE request_key IS NOT NULL;
`,
}

/** The merchant and the debtor may each have suspended an agreement. */
export const suspendedByBoth: Migration = {
  version: '039-suspended-by-both',
  sql: `
ALTER TABLE agreements DROP CONSTRAINT agreements_suspended_by_check;
ALTER TABLE agreements ADD CONSTRAINT agreements_suspended_by_check
  CHECK (suspended_by IN ('creditor', 'debtor', 'both'));
`,
}

/** Until which day an agreement's due days have had their turn, which a change of its terms must not forget. */
export const dueDaysDone: Migration = {
  version: '043-due-days-done',
  sql: `
ALTER TABLE agreements ADD COLUMN due_days_done_until text;
UPDATE agreements SET due_days_done_until = to_char(next_due_on::date - 1, 'YYYY-MM-DD') WHERE next_due_on IS NOT NULL;
`,
}

/** Which of an agreement's changes and payments came first. Payments from before it are in no order to changes. */
export const revisionsOfPayments: Migration = {
  version: '069-revisions-of-payments',
  sql: 'ALTER TABLE agreement_payments ADD COLUMN agreement_revision integer;',
}
