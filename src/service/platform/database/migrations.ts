import type { Migration } from './migrate.ts'
import { agreements } from './migrations/001-agreements.ts'
import { charges } from './migrations/001-charges.ts'
import { checkouts } from './migrations/001-checkouts.ts'
import { events } from './migrations/001-events.ts'
import { merchants } from './migrations/001-merchants.ts'
import { sandbox } from './migrations/001-sandbox.ts'
import { service } from './migrations/001-service.ts'
import { users } from './migrations/001-users.ts'
import { checkoutReturnUrl } from './migrations/002-checkout-return-url.ts'
import { metadata } from './migrations/003-metadata.ts'
import { gatewayNotifications } from './migrations/004-gateway-notifications.ts'
import { disputes, sandboxDisputes } from './migrations/006-disputes.ts'
import { authentications } from './migrations/010-authentications.ts'
import { authenticationWishes } from './migrations/012-authentication-wishes.ts'
import { sandboxBank } from './migrations/011-sandbox-bank.ts'
import { notificationsArrive } from './migrations/007-notifications-arrive.ts'

/** The schema of version 1.2.0, the oldest that can be upgraded. */
const schema: Migration = {
  version: '001-schema',
  sql: [merchants, users, charges, checkouts, agreements, events, service, sandbox].join(''),
}

/**
 * Every step of the schema, oldest first. A step that has landed never changes: a change is a new step, in a file of its own that
 * begins with its number. An index of a table that is there already is a step of its own too, `CREATE INDEX IF NOT EXISTS`, so
 * that it is made while the table is used.
 */
export const migrations: readonly Migration[] = [
  schema,
  { version: '002-checkout-return-url', sql: checkoutReturnUrl },
  { version: '003-metadata', sql: metadata },
  { version: '004-gateway-notifications', sql: gatewayNotifications },
  {
    version: '005-attempts-undone',
    sql: "CREATE INDEX IF NOT EXISTS attempts_undone ON attempts (gateway_id, created_at) WHERE type = 'reversal';",
  },
  { version: '006-disputes', sql: disputes + sandboxDisputes },
  { version: '007-notifications-arrive', sql: notificationsArrive },
  {
    version: '008-disputes-by-any-id',
    sql: `
      CREATE INDEX IF NOT EXISTS dispute_changes_at_gateway ON dispute_changes ((entry -> 'happening' ->> 'externalId'));
      DROP INDEX disputes_at_gateway;`,
  },
  {
    // Only since the same release there is such a table: it is empty. `past_at`: when a file that was sent at an earlier stage was taken away.
    version: '009-documents-of-earlier-answers',
    sql: 'ALTER TABLE dispute_documents ADD COLUMN past_at timestamptz(3);',
  },
  {
    version: '009-documents-past',
    sql: `
      CREATE UNIQUE INDEX IF NOT EXISTS dispute_documents_at_hand ON dispute_documents (dispute_id, type, coalesce(past_at, 'infinity'));
      DROP INDEX dispute_documents_of;`,
  },
  { version: '010-authentications', sql: authentications },
  { version: '011-sandbox-bank', sql: sandboxBank },
  { version: '012-authentication-wishes', sql: authenticationWishes },
  {
    // `why` of one that is done: it changed nothing as its charge was, and may once that has changed.
    version: '013-notifications-to-look-again',
    sql: `
      CREATE INDEX IF NOT EXISTS gateway_notifications_to_look_again ON gateway_notifications (charge_id)
      WHERE state = 'unexplained' OR (state = 'done' AND why IS NOT NULL);`,
  },
]
