import type { Migration } from '../../migrate.ts'

/*
 * Indexes and a column by which background work finds what there is to do, however much is done already.
 */

const INDEXES: Readonly<Record<string, string>> = {
  '050-oldest-events': 'event_outbox_oldest ON event_outbox (created_at, id)',
  '051-tokens-with-cards':
    'payment_source_tokens_with_card ON payment_source_tokens (expires_at) WHERE card_number IS NOT NULL',
  '052-intents-by-age':
    'checkout_intents_by_age ON checkout_intents (created_at) WHERE request_key IS NOT NULL',
}

export const workIndexes: readonly Migration[] = Object.entries(INDEXES).map(([version, index]) => ({
  version,
  sql: `CREATE INDEX IF NOT EXISTS ${index};`,
}))

/** How often it was tried to release a hold whose time is over; the more often, the longer until the next time. */
export const releasesTried: Migration = {
  version: '059-releases-tried',
  sql: 'ALTER TABLE charges ADD COLUMN releases_tried integer NOT NULL DEFAULT 0;',
}

/**
 * At which gateway account an attempt is, so that those without an outcome are found account by account. Attempts that have an outcome keep
 * `''`; one without, which an earlier build wrote after this, is found beside the accounts.
 */
export const accountsOfAttempts: readonly Migration[] = [
  {
    version: '060-accounts-of-attempts',
    sql: "ALTER TABLE attempts ADD COLUMN gateway_id text NOT NULL DEFAULT '';",
  },
  {
    version: '061-accounts-of-open-attempts',
    sql: `
UPDATE attempts SET gateway_id = (SELECT gateway_id FROM charges WHERE id = attempts.charge_id) WHERE outcome = 'open';`,
  },
  {
    version: '062-open-attempts-by-account',
    sql: `
CREATE INDEX IF NOT EXISTS attempts_open_by_account ON attempts (gateway_id, ask_after) WHERE outcome = 'open';
DROP INDEX attempts_to_ask;`,
  },
]

/**
 * From when a hold may be released. Null until its time was seen to be over, so that a charge costs no more than before; `infinity` while
 * something is under way at it. Holds whose time is over are found account by account, also where none of them may be released yet.
 */
export const endedHolds: readonly Migration[] = [
  {
    version: '064-ended-holds',
    sql: 'ALTER TABLE charges ADD COLUMN release_from timestamptz(3);',
  },
  {
    version: '065-ended-holds-by-account',
    sql: `
CREATE INDEX IF NOT EXISTS charges_held ON charges (hold_expires_at) WHERE status = 'pending' AND release_from IS NULL;
CREATE INDEX IF NOT EXISTS charges_to_release ON charges (gateway_id, release_from)
  WHERE status = 'pending' AND release_from IS NOT NULL;
DROP INDEX charges_on_hold;`,
  },
]

/**
 * It finds the oldest attempts without an outcome, however many there are. Its condition is `settled_at IS NULL` and not `outcome = 'open'`, so
 * that the planner can't choose `attempts_open_by_account` in its place: while few are open that looks as good, and the plan would stay once
 * many are.
 */
export const openAttemptsByAge: Migration = {
  version: '066-open-attempts-by-age',
  sql: 'CREATE INDEX IF NOT EXISTS attempts_open_by_age ON attempts (created_at) WHERE settled_at IS NULL;',
}
