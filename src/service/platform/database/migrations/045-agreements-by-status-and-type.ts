import type { Migration } from '../migrate.ts'

/** By which agreements of one status and one type are found, however few they are. A step of its own, as those of `023-search.ts`. */
export const agreementsByStatusAndType: Migration = {
  version: '045-agreements-by-status-and-type',
  sql: `
CREATE INDEX IF NOT EXISTS agreements_by_status_and_type ON agreements (merchant_id, status, type, created_at DESC, id DESC);`,
}
