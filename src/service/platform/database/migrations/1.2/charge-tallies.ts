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

/**
 * Rows that are there are not checked, so the table is locked for a moment only. A process of an earlier build, which still counts by
 * days, fails with its whole batch and its progress: nothing is lost, and a process of this build counts that batch.
 */
const sixHours: Migration = {
  version: '056-six-hour-tallies',
  sql: `
ALTER TABLE charge_tallies
  DROP CONSTRAINT charge_tallies_span_minutes_check,
  ADD CONSTRAINT charge_tallies_span_minutes_check 
    CHECK (span_minutes IN (1440, 360, 60, 15) AND NOT (span_minutes = 1440 AND is_whole)) NOT VALID;
`,
}

/**
 * All schemes together are counted by six hours instead of days, of which days that begin at any hour are put together. The table is read
 * as ever meanwhile; nothing is counted.
 */
const filledSixHours: Migration = {
  version: '057-filled-six-hour-tallies',
  sql: `
SELECT seq FROM charge_tally_progress FOR UPDATE;
DELETE FROM charge_tallies WHERE span_minutes = 1440 AND is_whole;
INSERT INTO charge_tallies
  SELECT merchant_id, 360, true, to_timestamp(floor(extract(epoch FROM starts_at) / 21600) * 21600) AS starts_at_six_hours, currency, 'all',
         sum(authorised_count), sum(authorised_cents), sum(captured_count), sum(captured_cents), sum(refunded_count),
         sum(refunded_cents), sum(cancelled_count), sum(cancelled_cents), sum(declined_count), sum(declined_cents)
  FROM charge_tallies WHERE span_minutes = 60 AND is_whole
  GROUP BY merchant_id, starts_at_six_hours, currency
  ORDER BY merchant_id, starts_at_six_hours;
`,
}

export const sixHourTallies: readonly Migration[] = [sixHours, filledSixHours]
