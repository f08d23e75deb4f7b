import type { Migration } from '../migrate.ts'

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
