import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../platform/database/database.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { findChargeByExternalId } from './find-charge-by-external-id.ts'

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

it('finds the movement of any charge at any gateway of the type', async () => {
  for (let n = 1; n <= CHARGES; n += 1) expect(await findSale(`PSP-charge-${n}`)).toBe(`charge-${n}`)
  expect(await findSale('PSP-charge-8')).toBeNull()
})

it('finds none of another type or type of gateway, and none that was not carried out', async () => {
  expect(await findSale('PSP-charge-1', 'other')).toBeNull()
  for (const externalId of ['PSP-charge-1', 'PSP-declined'])
    expect(
      await findChargeByExternalId(database, { gatewayType: 'adyen' }, { type: 'refund', externalId }),
    ).toBeNull()
})
