import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { keptPlanOf } from '../../testing/plan-of.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { disputeListFor } from './dispute-store.ts'

/** A merchant with 10,000 disputes: of each status, and of 5,000 charges. */
const FILL = `
  INSERT INTO disputes (id, merchant_id, charge_id, gateway_id, gateway_type, external_id, status, stage, amount, currency,
                        funds_withdrawn, respond_by, created_at)
  SELECT lpad(to_hex(n), 24, '0'), 'm1', 'c' || n % 5000, 'g1', 'adyen', 'd' || n,
         (ARRAY['needs_response', 'under_review', 'won', 'lost', 'accepted'])[1 + n % 5], 'chargeback', 1000, 'AUD', true,
         now() + n * interval '1 minute', now() - n * interval '1 minute'
  FROM generate_series(1, 10000) n;
  ANALYZE disputes;`

let filled: Database
beforeAll(async () => {
  filled = await createMigratedDatabase()
  await filled.script(FILL)
})
afterAll(() => filled.close())

const NONE = { status: null, charge_id: null, due_before: null }

it.each([
  ['nothing', NONE, 'disputes_of_merchant'],
  ['status', { ...NONE, status: 'won' }, 'disputes_by_status'],
  ['charge', { ...NONE, charge_id: 'c1' }, 'disputes_of_charge'],
  ['deadline', { ...NONE, due_before: new Date() }, 'disputes_by_'],
])('a list by %s reads no more than an index leads to', async (_, chosen, index) => {
  const plan = await keptPlanOf(filled, disputeListFor(chosen))
  expect(plan).toContain(index)
  expect(plan).not.toContain('Seq Scan on disputes')
})
