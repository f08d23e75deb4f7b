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
