import type { Migration } from '../../migrate.ts'

/**
 * Tokens are kept as hashes, as the token itself is now a part of the key that its card is sealed with. `old_token` is that
 * of cards sealed before, until they are spent or have expired: three hours at most. Every `ALTER … TYPE` writes its
 * table anew, so that the tokens are gone from its files too. Idempotency keys of tokens are let go: they stood in plain.
 */
export const tokenHashes: Migration = {
  version: '010-token-hashes',
  sql: `
ALTER TABLE payment_source_tokens ADD COLUMN token_hash bytea;
UPDATE payment_source_tokens SET token_hash = sha256(convert_to('payment-source-token:' || token::text, 'UTF8'));
ALTER TABLE payment_source_tokens DROP CONSTRAINT payment_source_tokens_pkey;
ALTER TABLE payment_source_tokens RENAME COLUMN token TO old_token;
ALTER TABLE payment_source_tokens ALTER COLUMN old_token DROP NOT NULL;
ALTER TABLE payment_source_tokens ALTER COLUMN old_token TYPE uuid
  USING CASE WHEN card_number IS NULL OR expires_at <= now() THEN NULL ELSE old_token END;
ALTER TABLE payment_source_tokens ADD PRIMARY KEY (token_hash);
ALTER TABLE payment_source_tokens DROP COLUMN idempotency_key;
ALTER TABLE payment_source_tokens ADD COLUMN idempotency_key_hash bytea;
CREATE UNIQUE INDEX payment_source_tokens_by_key_hash ON payment_source_tokens (merchant_id, idempotency_key_hash)
  WHERE idempotency_key_hash IS NOT NULL;
ALTER TABLE charges ALTER COLUMN token TYPE bytea
  USING sha256(convert_to('payment-source-token:' || token::text, 'UTF8'));
ALTER TABLE charges RENAME COLUMN token TO token_hash;
ALTER TABLE checkout_intents ALTER COLUMN payment_source TYPE bytea
  USING sha256(convert_to('payment-source-token:' || payment_source::text, 'UTF8'));
ALTER TABLE checkout_intents RENAME COLUMN payment_source TO payment_source_hash;
`,
}

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

/** A service secret per master key also tells whether an id still has the key that it had: it needs no check beside it. */
export const serviceSecrets: Migration = {
  version: '011-service-secrets',
  sql: `
ALTER TABLE vault_keys ALTER COLUMN sealed_check DROP NOT NULL;
ALTER TABLE vault_keys ADD COLUMN wrapped_secret bytea;
`,
}
