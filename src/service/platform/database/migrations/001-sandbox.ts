/** The books of the sandbox's gateway and payment network, in schemas of their own, as a real one's would be elsewhere. */
export const sandbox = `
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

-- Mandates at the payers' banks, what payers did there, and payments.
CREATE SCHEMA sandbox_network;
CREATE TABLE sandbox_network.mandates (
  id text PRIMARY KEY,
  status text NOT NULL CHECK (status IN ('created', 'active', 'suspended', 'cancelled', 'expired')),
  suspended_by text CHECK (suspended_by IN ('creditor', 'debtor')),
  type text NOT NULL,
  purpose text NOT NULL,
  creditor_name text NOT NULL,
  debtor_name text NOT NULL,
  offer jsonb NOT NULL,
  pending_amendment jsonb,
  max_amount bigint NOT NULL,
  payments text NOT NULL CHECK (payments IN ('settle', 'lack_funds', 'investigate', 'lose_answer')),
  accepts_amendments boolean NOT NULL,
  pauses_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX mandates_pausing ON sandbox_network.mandates (pauses_at) WHERE pauses_at IS NOT NULL;
CREATE TABLE sandbox_network.instructions (
  id text PRIMARY KEY,
  agreement_id text NOT NULL,
  refusal text,
  created_at timestamptz(3) NOT NULL
);
CREATE TABLE sandbox_network.notices (
  id text PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  agreement_id text NOT NULL,
  answer text NOT NULL,
  amendment_id text,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX notices_in_order ON sandbox_network.notices (position);
CREATE TABLE sandbox_network.payments (
  id text PRIMARY KEY,
  agreement_id text NOT NULL,
  amount bigint NOT NULL,
  reference text NOT NULL,
  description text,
  verdict text NOT NULL
    CHECK (verdict IN ('settled', 'insufficient_funds', 'agreement_not_active', 'limit_exceeded')),
  investigated_until timestamptz(3),
  answer_is_lost boolean NOT NULL,
  network_reference text NOT NULL,
  times_asked integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX payments_of_agreement ON sandbox_network.payments (agreement_id, created_at DESC, id DESC);
`
