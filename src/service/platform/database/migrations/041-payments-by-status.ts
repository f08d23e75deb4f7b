import type { Migration } from '../migrate.ts'

/** By which a merchant's payments across its agreements are listed. A step of its own, as those of `023-search.ts`. */
export const paymentsByStatus: Migration = {
  version: '041-payments-by-status',
  sql: `
CREATE INDEX IF NOT EXISTS agreement_payments_by_status ON agreement_payments
  (merchant_id, status, created_at DESC, id DESC);`,
}
