import type { Migration } from '../migrate.ts'

/** A payment that a merchant sent under an idempotency key is found again by it. */
export const paymentRequests: Migration = {
  version: '038-payment-requests',
  sql: `
ALTER TABLE agreement_payments ADD COLUMN request_key text, ADD COLUMN request_hash text;
CREATE UNIQUE INDEX agreement_payments_by_request ON agreement_payments (request_key) WHERE request_key IS NOT NULL;
CREATE INDEX agreement_payments_by_age ON agreement_payments (created_at) WHERE request_key IS NOT NULL;
`,
}
