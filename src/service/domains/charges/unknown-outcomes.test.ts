import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { keptPlanOf } from '../../testing/plan-of.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { selectOpenAttempts } from './needs-attention.ts'
import { dueAttempts } from './unfinished-store.ts'
import { countUnknown, countUnknownOutcomes, listUnknown, listUnknownOutcomes } from './unknown-outcomes.ts'
import { findChargeByExternalId } from './unknown-outcomes.ts'

describe('unknown outcomes', () => {
  /** Each with a sale that was approved two hours ago. */
  const charges = `
  INSERT INTO charges (id, merchant_id, gateway_id, token_hash, status, pre_auth, amount, currency, customer, payment_source)
  SELECT 'c' || n, 'm', 'g' || n % 3, '', 'complete', true, 100, 'AUD', '{}', '{}' FROM generate_series(1, 10002) n;
  INSERT INTO attempts (id, charge_id, type, amount, outcome, ask_after, created_at, settled_at)
  SELECT 'sale-' || id, id, 'sale', 100, 'approved', now(), now() - interval '2 hours', now() FROM charges`
  /** Refunds without an outcome, of which the oldest is an hour old. */
  const refunds = `
  INSERT INTO attempts (id, charge_id, gateway_id, type, amount, outcome, ask_after, created_at)
  SELECT 'refund-' || id, id, gateway_id, 'refund', 100, 'open', now(),
         now() - CASE id WHEN 'c2' THEN 60 ELSE 10 END * interval '1 minute' FROM charges`

  let database: Database
  beforeAll(async () => {
    database = await createMigratedDatabase()
    await database.script(charges)
    await database.script('VACUUM ANALYZE charges')
    await database.script('VACUUM ANALYZE attempts')
  })
  afterAll(() => database.close())

  /** A service may have made its plans while nothing was open, and keeps them. */
  it.each([
    ['counted', countUnknown, 'attempts_open_by_age'],
    ['listed', listUnknown, 'attempts_open_by_age'],
    ['found to be asked for', dueAttempts, 'attempts_open_by_account'],
    ['shown to their merchant', selectOpenAttempts, 'attempts_open_by_account'],
  ] as const)(
    'attempts without an outcome are %s by an index of theirs, also where few are',
    async (...which) => {
      const [, statement, index] = which
      const plan = await keptPlanOf<never, object>(database, { ...statement, toParameters: () => [] })
      expect(new Set(plan.match(/Seq Scan on attempts|attempts_[a-z]\w+/g))).toEqual(new Set([index]))
    },
  )

  it('10,000 of them are counted, and the age is that of the oldest of all', async () => {
    await database.script(refunds)
    const { count, oldestSeconds } = await countUnknownOutcomes(database)
    expect(count).toBe(10_000)
    expect(Math.round(oldestSeconds / 60)).toBe(60)
  })

  it('1,000 of them are listed, the oldest first', async () => {
    const listed = await listUnknownOutcomes(database)
    expect(listed).toHaveLength(1000)
    expect(listed[0]).toMatchObject({ attempt_id: 'refund-c2', charge_id: 'c2', merchant_id: 'm' })
  })
})

describe('an id of the gateway', () => {
  const CHARGES = 7

  let database: Database
  beforeAll(async () => {
    database = await createMigratedDatabase()
    await database.script(`
    INSERT INTO charges (id, merchant_id, gateway_id, token_hash, status, pre_auth, amount, currency, customer, payment_source)
    SELECT 'charge-' || n, 'merchant-' || n, 'gateway-' || n, '', 'complete', false, 100, 'AUD', '{}', '{"gateway_type":"adyen"}'
    FROM generate_series(1, ${CHARGES}) n;
    INSERT INTO attempts (id, charge_id, type, amount, outcome, external_id, ask_after)
    SELECT 'sale-' || id, id, 'sale', 100, 'approved', 'PSP-' || id, now() FROM charges;
    INSERT INTO attempts (id, charge_id, type, amount, outcome, external_id, ask_after)
    VALUES ('declined', 'charge-1', 'refund', 100, 'declined', 'PSP-declined', now())`)
  })
  afterAll(() => database.close())

  const findSale = (externalId: string, gatewayType = 'adyen') =>
    findChargeByExternalId(database, { gatewayType }, { type: 'sale', externalId })

  it('is found for any charge at any gateway of its type', async () => {
    for (let n = 1; n <= CHARGES; n += 1) expect(await findSale(`PSP-charge-${n}`)).toBe(`charge-${n}`)
    expect(await findSale('PSP-charge-8')).toBeNull()
  })

  it('is not found for another type, gateway or a declined attempt', async () => {
    expect(await findSale('PSP-charge-1', 'other')).toBeNull()
    for (const externalId of ['PSP-charge-1', 'PSP-declined'])
      expect(
        await findChargeByExternalId(database, { gatewayType: 'adyen' }, { type: 'refund', externalId }),
      ).toBeNull()
  })
})
