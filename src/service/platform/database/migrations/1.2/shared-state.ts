import type { Migration } from '../../migrate.ts'

/** Requests that came under an `Idempotency-Key`; the answer is sealed, as it may hold a secret, and null until it is there. */
export const idempotentRequests: Migration = {
  version: '013-idempotent-requests',
  sql: `
CREATE TABLE idempotent_requests (
  key text PRIMARY KEY,
  request_hash text NOT NULL,
  begun_at timestamptz(3) NOT NULL DEFAULT now(),
  master_key_id text,
  wrapped_data_key bytea,
  answer bytea
);
CREATE INDEX idempotent_requests_begun ON idempotent_requests (begun_at);
`,
}

/**
 * What callers did, counted by all processes together. Unlogged: a count costs no write to the disk, and after a crash of
 * PostgreSQL every caller begins anew.
 */
export const rateWindows: Migration = {
  version: '015-rate-windows',
  sql: `
CREATE UNLOGGED TABLE rate_windows (
  counted text NOT NULL,
  ends_at timestamptz NOT NULL,
  taken integer NOT NULL,
  PRIMARY KEY (counted, ends_at)
);
`,
}

/** Its one row is there while there is maintenance. */
export const maintenance: Migration = {
  version: '020-maintenance',
  sql: `
CREATE TABLE maintenance (
  name text PRIMARY KEY CHECK (name = 'service'),
  retry_after_seconds integer NOT NULL CHECK (retry_after_seconds > 0)
);
`,
}
