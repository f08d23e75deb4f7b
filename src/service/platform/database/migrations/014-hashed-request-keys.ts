import type { Migration } from '../migrate.ts'

/**
 * Idempotency keys are kept as hashes: merchants use what they like as a key, also the one-time token of the card, which may
 * be kept nowhere. Every `ALTER … TYPE` writes its table anew, so that the keys are gone from its files too.
 */
export const hashedRequestKeys: Migration = {
  version: '014-hashed-request-keys',
  sql: `
ALTER TABLE attempts ALTER COLUMN request_key TYPE text
  USING encode(sha256(convert_to(request_key, 'UTF8')), 'hex');
ALTER TABLE checkout_intents ALTER COLUMN request_key TYPE text
  USING encode(sha256(convert_to(request_key, 'UTF8')), 'hex');
`,
}
