import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { agreementListFor } from './agreement-list.ts'
import { over, unamended, unanswered } from './due-store.ts'

let database: Database
beforeAll(async () => {
  database = await createMigratedDatabase()
})
afterAll(() => database.close())

/** The plan that is kept for a statement, whatever its values; sequential scans are made dear, as they are in a big table. `before`: SQL for this plan alone. */
async function planOf(
  { name, text, names }: { name: string; text: string; names: readonly unknown[] },
  before = '',
) {
  return database.transaction(async (queries) => {
    await queries.script(`SAVEPOINT as_it_was; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off;
      SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off; ${before} PREPARE p_${name} AS ${text}`)
    const values = names.map(() => 'NULL').join(', ')
    const explain = testStatement<{ 'QUERY PLAN': string }>(
      `t_explain_${name}`,
      `EXPLAIN EXECUTE p_${name} (${values})`,
    )
    const rows = await queries.run(explain, [])
    await queries.script(`DEALLOCATE p_${name}; ROLLBACK TO SAVEPOINT as_it_was`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

it.each([
  ['', 'agreements_newest'],
  ['status', 'agreements_by_status'],
  ['type', 'agreements_by_type'],
  ['status,type', 'agreements_by_status_and_type'],
] as const)('a list by "%s" reads an index in its order', async (choice, index) => {
  const given = (name: string) => (choice.split(',').includes(name) ? 'x' : null)
  const list = agreementListFor({
    status: given('status'),
    type: given('type'),
    reference: given('reference'),
  })
  const plan = await planOf({ ...list, names: list.names })
  expect(plan).toMatch(index)
  expect(plan).not.toMatch(/Sort|Seq Scan/)
})

const WITH_REFERENCE = ['reference', 'status,reference', 'type,reference', 'status,type,reference']

/** The plan of the list by these filters, one of them the reference. */
const planByReference = async (choice: string, before = '') => {
  const given = (name: string) => (choice.split(',').includes(name) ? 'x' : null)
  const list = agreementListFor({ status: given('status'), type: given('type'), reference: 'x' })
  return planOf({ ...list, names: list.names }, before)
}

it.each(WITH_REFERENCE)(
  'a list by "%s" begins at its place in an index, also where all share the reference',
  async (choice) => {
    const plan = await planByReference(choice)
    expect(plan).toMatch(
      /agreements_by_reference on.*\n +Index Cond: .*ARRAY\[merchant_id, reference, status, type\] = .*ROW\(created_at, id\)/,
    )
    expect(plan).not.toMatch(/Seq Scan on agreements/)
  },
)

it.each(WITH_REFERENCE)(
  'for a list by "%s" no other index leads to its rows, however it is estimated',
  async (choice) => {
    const plan = await planByReference(choice, 'DROP INDEX agreements_by_reference;')
    expect(plan).toMatch(/Filter: .*ARRAY\[merchant_id, reference, status, type\] = /)
    expect(plan).not.toMatch(/Index Cond: .*(?:merchant_id|status|type) = /)
  },
)

it.each([
  [unanswered, 'agreements_unanswered'],
  [over, 'agreements_ending'],
  [unamended, 'agreements_unamended'],
])('what ends by time is found by an index of its own', async (found, index) => {
  const plan = await planOf({ ...found, names: found.names })
  expect(plan).toContain(index)
  expect(plan).not.toMatch(/Sort|Seq Scan/)
})
