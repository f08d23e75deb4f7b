/**
 * Authentications of card holders by their bank (3-D Secure). `attempts.authentication` is what is known of that of a sale.
 * `charge_authentications` has what the page and the gateway need until it has ended: `step` is sealed, and erased then.
 * `busy_until`: somebody is asking the gateway about it.
 */
export const authentications = `
ALTER TABLE attempts ADD COLUMN authentication jsonb;
ALTER TABLE payment_source_tokens ADD COLUMN browser jsonb;
ALTER TABLE charges DROP CONSTRAINT charges_status_check;
ALTER TABLE charges ADD CONSTRAINT charges_status_check CHECK (status IN ('processing', 'pre_authentication_pending', 'pending',
  'complete', 'cancelled', 'failed', 'not_authenticated', 'refunded')) NOT VALID;
CREATE TABLE charge_authentications (
  id text PRIMARY KEY,
  merchant_id text NOT NULL,
  charge_id text NOT NULL,
  attempt_id text NOT NULL,
  token_hash bytea NOT NULL,
  step_number integer NOT NULL DEFAULT 0,
  times_asked integer NOT NULL DEFAULT 0,
  master_key_id text,
  wrapped_data_key bytea,
  step bytea,
  busy_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX charge_authentications_of_attempt ON charge_authentications (attempt_id);
CREATE INDEX charge_authentications_to_forget ON charge_authentications (expires_at);
`
