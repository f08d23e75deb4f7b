import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../platform/database/database.ts'
import { keptPlanOf } from '../../../testing/plan-of.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { ofWebhook } from './delivery-log-sql.ts'

/** All of one webhook's came at the same moment, as those that are sent again do, and wait. */
const fill = `
  INSERT INTO events (seq, id, merchant_id, type, subject, actor, facts, created_at, hash)
  SELECT n, lpad(to_hex(n), 24, '0'), 'm', 'charge.captured', 's', 'merchant', '{}', now(), '' FROM generate_series(1, 10000) n;
  INSERT INTO webhook_deliveries (endpoint_id, event_id, created_at) SELECT 'w', id, created_at FROM events;
  ANALYZE events, webhook_deliveries;`

let database: Database
beforeAll(async () => {
  database = await createMigratedDatabase()
  await database.script(fill)
})
afterAll(() => database.close())

it('a list of deliveries begins at its place in an index that is in its order', async () => {
  const plan = await keptPlanOf(database, ofWebhook)
  expect(plan).toMatch(/Index Scan using webhook_deliveries_by_state.*\n.*ROW\(created_at, event_id\)/)
  expect(plan).not.toContain('Seq Scan on webhook_deliveries')
})
