import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../platform/database/database.ts'
import { keptPlanOf } from '../../../testing/plan-of.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { intentListFor } from './list-sql.ts'

const fill = `
  INSERT INTO checkout_intents (id, merchant_id, workflow_version, status, amount, currency, reference, customer,
    configuration, customisation, journey, created_at, expires_at)
  SELECT lpad(to_hex(n), 24, '0'), CASE WHEN n % 2 = 0 THEN 'big' ELSE 'm' || n % 50 END, 1,
    CASE WHEN n % 20 = 0 THEN 'active' WHEN n % 3 = 0 THEN 'expired' ELSE 'completed' END, 1000, 'AUD', 'cart-' || n,
    '{}', '{}', '{}', '[]', now() - n * interval '1 minute', now() + interval '10 minutes'
  FROM generate_series(1, 10000) n;
  ANALYZE checkout_intents;`

let database: Database
beforeAll(async () => {
  database = await createMigratedDatabase()
  await database.script(fill)
})
afterAll(() => database.close())

it.each([
  [null, null, 'checkout_intents_newest'],
  ['expired', null, 'checkout_intents_by_status'],
] as const)(
  'a list by status %s and reference %s reads an index in its order',
  async (status, reference, index) => {
    const plan = await keptPlanOf(database, intentListFor({ status, reference }))
    expect(plan).toContain(`Index Scan using ${index}`)
    expect(plan).not.toMatch(/Bitmap|Seq Scan/)
  },
)

it.each([null, 'expired'] as const)(
  'a list by a reference, which all may share, and status %s begins at its place in an index',
  async (status) => {
    const plan = await keptPlanOf(database, intentListFor({ status, reference: 'cart-7' }))
    const place =
      /by_reference_and_status on.*\n +Index Cond: .*reference = .*status = .*ROW\(created_at, id\)/
    expect(plan).toMatch(place)
    expect(plan).not.toMatch(/Bitmap|Seq Scan on checkout_intents/)
  },
)
