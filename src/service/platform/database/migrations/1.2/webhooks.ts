import type { Migration } from '../../migrate.ts'

/** A webhook whose `event_types` are null gets events of all types, also of those that come to exist later. */
export const webhooksOfAllEvents: Migration = {
  version: '019-webhooks-of-all-events',
  sql: 'ALTER TABLE webhook_endpoints ALTER COLUMN event_types DROP NOT NULL;',
}
