import type { Migration } from '../../migrate.ts'

/**
 * What became of merchants' charges, counted by the day (of UTC), the hour and the quarter hour in which it happened: so that days of
 * every time zone can be put together. A row is of one scheme, or (`is_whole`) of all. `charge_tally_progress`: up to which event all of it
 * is counted.
 */
export const chargeTallies: Migration = {
  version: '033-charge-tallies',
  sql: `
CREATE TABLE charge_tallies (
  merchant_id text NOT NULL,
  span_minutes integer NOT NULL CHECK (span_minutes IN (1440, 60, 15)),
  is_whole boolean NOT NULL,
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
  PRIMARY KEY (merchant_id, span_minutes, is_whole, starts_at, currency, scheme)
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
CREATE TABLE charge_tally_progress (
  name text PRIMARY KEY CHECK (name = 'charges'),
  seq bigint NOT NULL
);
INSERT INTO charge_tally_progress (name, seq) VALUES ('charges', 0);
`,
}
