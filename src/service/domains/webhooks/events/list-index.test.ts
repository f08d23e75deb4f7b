import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../platform/database/database.ts'
import { keptPlanOf } from '../../../testing/plan-of.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { listEvents } from './event-log.ts'

/** An audit log that is full of what no webhook is told, all of it at the same moment. */
const fill = `
  INSERT INTO events (seq, id, merchant_id, type, subject, actor, facts, created_at, hash)
  SELECT n, lpad(to_hex(n), 24, '0'), 'm', CASE WHEN n % 100 = 0 THEN 'charge.captured' ELSE 'user.acted' END, 's', 'merchant', '{}', now(), ''
  FROM generate_series(1, 20000) n;
  ANALYZE events;`

let database: Database
beforeAll(async () => {
  database = await createMigratedDatabase()
  await database.script(fill)
})
afterAll(() => database.close())

it('a list of events begins at its place in an index that is in its order', async () => {
  const plan = await keptPlanOf(database, listEvents)
  expect(plan).toMatch(/Index Scan using events_by_type.*\n.*ROW\(created_at, id\)/)
  expect(plan).not.toContain('Seq Scan')
})
