import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { keptPlanOf } from '../../testing/plan-of.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { selectCharges } from './charge-store.ts'
import { selectEndingHolds, selectOpenAttempts, selectUnreleasedHolds } from './needs-attention.ts'
import { selectByLead, selectByRange, selectCounts, selectPairCounts } from './search-store.ts'
import type { Lead, Range } from './search-store.ts'
import { sumDeclines, sumPeriods, sumSchemes } from './tallies.ts'

const fill = `
  INSERT INTO charges (id, merchant_id, gateway_id, token_hash, status, pre_auth, amount, currency, reference, customer,
    payment_source, hold_expires_at, created_at)
  SELECT lpad(to_hex(n), 24, '0'), CASE WHEN n % 2 = 0 THEN 'big' ELSE 'm' || n % 100 END, 'g' || n % 3, '\\x00',
    CASE WHEN n % 10 = 0 THEN 'failed' WHEN n % 10 = 1 THEN 'pending' ELSE 'complete' END, true, n % 5000 + 1, 'AUD',
    CASE WHEN n % 3 > 0 THEN 'order-' || n END,
    CASE WHEN n % 2 = 0 THEN json_build_object('email', n || '@Shop.example') ELSE '{}' END,
    json_build_object('card_scheme', CASE WHEN n % 4 = 0 THEN 'visa' ELSE 'mastercard' END,
      'card_number_last4', lpad((n % 10000)::text, 4, '0'), 'card_name', 'Ada ' || n % 3000, 'rest', repeat('x', 300)),
    now() + n * interval '1 minute', now() - n * interval '1 minute'
  FROM generate_series(1, 20000) n;
  INSERT INTO attempts (id, charge_id, type, amount, outcome, external_id, ask_after)
  SELECT 'a' || id, id, 'sale', amount, 'approved', 'PSP' || id, now() FROM charges;
  ANALYZE attempts;
  INSERT INTO charge_metadata SELECT merchant_id, amount % 7, created_at, id FROM charges;
  ANALYZE charge_metadata;
  INSERT INTO charge_tallies
  SELECT 'm' || n % 20, 15, n % 2 = 0, now() - n * interval '15 minutes', 'AUD', 'visa', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
  FROM generate_series(1, 5000) n;
  INSERT INTO charge_declines
  SELECT 'm' || n % 20, 15, now() - n * interval '15 minutes', 'AUD', 'expired_card', 1, 1 FROM generate_series(1, 5000) n;
  ANALYZE charge_tallies; ANALYZE charge_declines;`

let database: Database
beforeAll(async () => {
  database = await createMigratedDatabase()
  await database.script(fill)
  await database.script('VACUUM ANALYZE charges')
})
afterAll(() => database.close())

const leads: Readonly<Record<Exclude<Lead, 'transaction' | 'metadata'>, string>> = {
  newest: 'charges_newest',
  status: 'charges_by_status',
  scheme: 'charges_by_scheme',
  gatewayId: 'charges_by_gateway',
  amount: 'charges_by_amount',
  id: 'charges_pkey',
  last4: 'charges_by_last4_and_status',
  last4AndStatus: 'charges_by_last4_and_status',
  reference: 'charges_by_reference_in_any_case',
  referenceAndStatus: 'charges_by_reference_in_any_case',
  exactReference: 'charges_by_reference_in_any_case',
  exactReferenceAndStatus: 'charges_by_reference_in_any_case',
  email: 'charges_by_email',
  cardName: 'charges_by_card_name',
}

it.each(Object.keys(leads).filter((name): name is keyof typeof leads => name in leads))(
  'charges by %s are read from an index in the order of the list',
  async (lead) => {
    const plan = await keptPlanOf(database, selectByLead[lead])
    expect(plan).toContain(`Index Scan using ${leads[lead]}`)
    expect(plan).toMatch(lead === 'id' ? /Index Cond: \(id = / : /Index Cond: .*ROW\(created_at, id\) </)
    expect(plan).not.toMatch(/Seq Scan|Bitmap/)
    if (lead !== 'id') expect(plan).not.toContain('Sort')
  },
)

it('charges by metadata are read from the key of its rows, in the order of the list', async () => {
  const plan = await keptPlanOf(database, selectByLead.metadata)
  expect(plan).toMatch(/Index (?:Only )?Scan Backward using charge_metadata_pkey/)
  expect(plan).toMatch(/Index Cond: .*pair = .*ROW\(created_at, charge_id\) </)
  expect(plan).toContain('Index Scan using charges_pkey')
  expect(plan).not.toMatch(/Seq Scan|Bitmap|Sort|Hash/)
})

it('charges with a text of metadata are counted in the key of its rows', async () => {
  const plan = await keptPlanOf(database, selectPairCounts)
  expect(plan).toContain('charge_metadata_pkey')
  expect(plan).not.toContain('Seq Scan')
})

it('the charge of a transaction is found by indexes of its ids', async () => {
  const plan = await keptPlanOf(database, selectByLead.transaction)
  for (const index of ['attempts_pkey', 'attempts_by_external_id', 'charges_pkey'])
    expect(plan).toContain(index)
  expect(plan).not.toContain('Seq Scan')
})

it.each([
  ['four digits', selectByLead.last4AndStatus, /Index Cond: .*card_number_last4.*status = /],
  ['a reference', selectByLead.referenceAndStatus, /Index Cond: .*lower\(.*reference\).* = .*status = /],
])('charges of a status are told apart by the index, where they are found by %s', async (_, find, place) => {
  expect(await keptPlanOf(database, find)).toMatch(place)
})

const ranges: Readonly<Record<Range, string>> = {
  amounts: 'charges_by_amount',
  beginning: 'charges_by_reference_in_any_case',
}

it.each(Object.keys(ranges).filter((name): name is Range => name in ranges))(
  'charges of a range (%s) are found by its index',
  async (range) => {
    const plan = await keptPlanOf(database, selectByRange[range])
    expect(plan).toContain(ranges[range])
    expect(plan).not.toContain('Seq Scan')
  },
)

it('matches are counted in the indexes', async () => {
  const plan = await keptPlanOf(database, selectCounts)
  for (const index of ['status', 'scheme', 'gateway', 'amount', 'reference'])
    expect(plan).toContain(`charges_by_${index}`)
  expect(plan).not.toMatch(/Seq Scan|charges_newest/)
})

it('the charges of a page are found by their ids, with their attempts', async () => {
  const plan = await keptPlanOf(database, selectCharges)
  expect(plan).toContain('charges_pkey')
  expect(plan).toContain('attempts_of_charge')
  expect(plan).not.toContain('Seq Scan')
})

it.each([
  ['holds that end within a day', selectEndingHolds, ['charges_by_end_of_hold']],
  ['holds that could not be released', selectUnreleasedHolds, ['charges_by_end_of_hold']],
  [
    'outcomes that are unknown',
    selectOpenAttempts,
    ['attempts_open_by_account', 'charges_by_gateway', 'charges_pkey'],
  ],
  ['tallies of periods', sumPeriods, ['charge_tallies_pkey']],
  ['tallies of schemes', sumSchemes, ['charge_tallies_pkey']],
  ['declines of a time', sumDeclines, ['charge_declines_pkey']],
] as const)('%s are read by an index', async (_, statement, indexes) => {
  const plan = await keptPlanOf<never, object>(database, { ...statement, toParameters: () => [] })
  for (const index of indexes) expect(plan).toContain(index)
  expect(plan).not.toMatch(/Seq Scan|charges_held|charges_to_release/)
})
