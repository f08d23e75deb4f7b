/** What the service keeps for itself: secrets, requests under an idempotency key, counts for limits, maintenance. */
export const service = `
-- A secret of the service per master key, wrapped with that key; it also shows whether the id still has the same key.
CREATE TABLE vault_keys (
  id text PRIMARY KEY,
  wrapped_secret bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

-- The answer is sealed, as it may hold a secret; null until it is there.
CREATE TABLE idempotent_requests (
  key text PRIMARY KEY,
  request_hash text NOT NULL,
  begun_at timestamptz(3) NOT NULL DEFAULT now(),
  master_key_id text,
  wrapped_data_key bytea,
  answer bytea
);
CREATE INDEX idempotent_requests_begun ON idempotent_requests (begun_at);

-- Counts of all processes together. Unlogged: a count costs no write to the disk, and after a crash of PostgreSQL begins anew.
CREATE UNLOGGED TABLE rate_windows (
  counted text NOT NULL,
  ends_at timestamptz NOT NULL,
  taken integer NOT NULL,
  PRIMARY KEY (counted, ends_at)
);

-- Its one row is there while there is maintenance.
CREATE TABLE maintenance (
  name text PRIMARY KEY CHECK (name = 'service'),
  retry_after_seconds integer NOT NULL CHECK (retry_after_seconds > 0)
);
`
