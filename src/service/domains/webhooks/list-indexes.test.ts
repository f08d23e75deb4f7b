import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { keptPlanOf } from '../../testing/plan-of.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { listOfWebhook } from './delivery-log.ts'
import { listEventsOfTypes } from './events.ts'

let database: Database
beforeEach(async () => (database = await createMigratedDatabase()))
afterEach(() => database.close())

it('a list of deliveries begins at its place in an index that is in its order', async () => {
  // All deliveries of one webhook wait, and came at the same moment, as those that are sent again do.
  await database.script(`
    INSERT INTO events (seq, id, merchant_id, type, subject, actor, facts, created_at, hash)
    SELECT n, lpad(to_hex(n), 24, '0'), 'm', 'charge.captured', 's', 'merchant', '{}', now(), '' FROM generate_series(1, 10000) n;
    INSERT INTO webhook_deliveries (webhook_id, event_id, created_at) SELECT 'w', id, created_at FROM events;
    ANALYZE events, webhook_deliveries;`)
  const plan = await keptPlanOf(database, listOfWebhook)
  expect(plan).toMatch(/Index Scan using webhook_deliveries_by_state.*\n.*ROW\(created_at, event_id\)/)
  expect(plan).not.toContain('Seq Scan on webhook_deliveries')
})

it('a list of events begins at its place in an index that is in its order', async () => {
  // The audit log is full of types that no webhook gets, all at the same moment.
  await database.script(`
    INSERT INTO events (seq, id, merchant_id, type, subject, actor, facts, created_at, hash)
    SELECT n, lpad(to_hex(n), 24, '0'), 'm', CASE WHEN n % 100 = 0 THEN 'charge.captured' ELSE 'user.acted' END, 's', 'merchant', '{}', now(), ''
    FROM generate_series(1, 20000) n;
    ANALYZE events;`)
  const plan = await keptPlanOf(database, listEventsOfTypes)
  expect(plan).toMatch(/Index Scan using events_by_type.*\n.*ROW\(created_at, id\)/)
  expect(plan).not.toContain('Seq Scan')
})
