import type { Migration } from '../../migrate.ts'

export const paymentSourceTokens: Migration = {
  version: '002-payment-source-tokens',
  sql: `
CREATE TABLE payment_source_tokens (
  token uuid PRIMARY KEY,
  merchant_id text NOT NULL,
  gateway_id text,
  master_key_id text,
  wrapped_data_key bytea,
  card_number bytea,
  card_ccv bytea,
  card jsonb NOT NULL,
  meta jsonb,
  idempotency_key text,
  attempt_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  spent_at timestamptz(3)
);
CREATE UNIQUE INDEX payment_source_tokens_by_key ON payment_source_tokens (merchant_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX payment_source_tokens_to_erase ON payment_source_tokens (expires_at);
`,
}
