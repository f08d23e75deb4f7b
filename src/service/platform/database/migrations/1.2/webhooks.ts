import type { Migration } from '../../migrate.ts'

/** A webhook whose `event_types` are null gets events of all types, also of those that come to exist later. */
export const webhooksOfAllEvents: Migration = {
  version: '019-webhooks-of-all-events',
  sql: 'ALTER TABLE webhook_endpoints ALTER COLUMN event_types DROP NOT NULL;',
}

/** Webhooks whose deliveries are still to be deleted: there may be more than one request could delete. */
export const removedWebhooks: Migration = {
  version: '053-removed-webhooks',
  sql: `
CREATE TABLE removed_webhooks (
  id text PRIMARY KEY,
  removed_at timestamptz(3) NOT NULL DEFAULT now()
);`,
}

/**
 * Secrets of webhooks that were replaced and sign on for a while. A webhook that is disabled can be enabled again, so its secret is kept
 * when master keys are rotated; until now it was not: those that are disabled lose theirs, and get another before they are enabled.
 */
export const formerWebhookSecrets: Migration = {
  version: '048-former-webhook-secrets',
  sql: `
CREATE TABLE webhook_former_secrets (
  id text PRIMARY KEY,
  endpoint_id text NOT NULL,
  merchant_id text NOT NULL,
  master_key_id text NOT NULL,
  wrapped_data_key bytea NOT NULL,
  secret bytea NOT NULL,
  ends_at timestamptz(3) NOT NULL
);
CREATE INDEX webhook_former_secrets_of_webhook ON webhook_former_secrets (endpoint_id);
ALTER TABLE webhook_endpoints ALTER COLUMN master_key_id DROP NOT NULL;
ALTER TABLE webhook_endpoints ALTER COLUMN wrapped_data_key DROP NOT NULL;
ALTER TABLE webhook_endpoints ALTER COLUMN secret DROP NOT NULL;
UPDATE webhook_endpoints SET master_key_id = NULL, wrapped_data_key = NULL, secret = NULL WHERE disabled_at IS NOT NULL;
`,
}
