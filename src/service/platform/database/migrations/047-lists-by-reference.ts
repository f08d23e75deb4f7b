import type { Migration } from '../migrate.ts'

/**
 * By which checkouts and agreements of one reference are found, of each status (and type) in their order, also where many share the
 * reference. They stand for the indexes by reference alone. A step of its own, as those of `023-search.ts`.
 */
export const listsByReference: Migration = {
  version: '047-lists-by-reference',
  sql: `
CREATE INDEX IF NOT EXISTS checkout_intents_by_reference_and_status ON checkout_intents
  (merchant_id, reference, status, created_at DESC, id DESC) WHERE reference IS NOT NULL;
CREATE INDEX IF NOT EXISTS agreements_by_reference_status_and_type ON agreements
  (merchant_id, reference, status, type, created_at DESC, id DESC) WHERE reference IS NOT NULL;
DROP INDEX checkout_intents_by_reference;
DROP INDEX agreements_by_reference;`,
}
