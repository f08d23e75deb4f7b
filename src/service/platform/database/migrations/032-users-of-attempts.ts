import type { Migration } from '../migrate.ts'

/** Who asked for an attempt on the dashboard; null: the merchant's server, a shopper's page, or the service by itself. */
export const usersOfAttempts: Migration = {
  version: '032-users-of-attempts',
  sql: 'ALTER TABLE attempts ADD COLUMN user_id text;',
}
