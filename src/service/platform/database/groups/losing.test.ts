import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRelayThatCuts } from '../../../testing/fake-postgres.ts'
import { createTestDatabase, urlAt } from '../../../testing/test-database.ts'
import { testStatement } from '../../../testing/test-statement.ts'
import { createDatabase } from '../database.ts'
import type { Database } from '../database.ts'

const add = testStatement('t_add_thing', 'INSERT INTO things (id) VALUES ($1)')
const count = testStatement<{ n: number }>('t_count', 'SELECT count(*)::int AS n FROM things WHERE id > $1')
const transactionOf = testStatement<{ id: string }>(
  't_transaction',
  'SELECT pg_current_xact_id()::text AS id',
)
const forget = testStatement('t_forget', 'DEALLOCATE ALL')
const limit = testStatement('t_limit', "SELECT set_config('transaction_timeout', $1, true)")
const nap = testStatement('t_nap', 'SELECT pg_sleep($1)')

let database: Database
beforeAll(async () => {
  database = await createTestDatabase()
  await database.script('CREATE TABLE things (id int PRIMARY KEY); INSERT INTO things VALUES (1)')
})
afterAll(() => database.close())

const refused = { status: 'rejected', reason: { code: 'service_unavailable' } }

describe('a group whose connection is lost', () => {
  it('after one of its statements has failed: nobody is told the fault of another', async () => {
    const connectionString = await urlAt(database, await startRelayThatCuts('C23505'))
    const behind = createDatabase({ connectionString, connections: 2, onIdleError: () => undefined })
    const outcomes = await Promise.allSettled([100, 1, 101].map((id) => behind.grouped.run(add, [id])))
    expect(outcomes).toMatchObject([refused, refused, refused])
    expect(await database.run(count, [99])).toEqual([{ n: 0 }])
    await behind.close()
  })

  it('as its transaction took too long: all are refused as unavailable', async () => {
    const outcomes = await Promise.allSettled([
      database.grouped.run(add, [200]),
      database.grouped.run(limit, ['100']),
      database.grouped.run(nap, [5]),
    ])
    expect(outcomes).toMatchObject([refused, refused, refused])
    expect(await database.run(count, [199])).toEqual([{ n: 0 }])
  })
})

it('a connection that has lost what it had prepared is given up: later groups share transactions again', async () => {
  const transactions = () => Promise.all([1, 2].map(() => database.grouped.run(transactionOf, [])))
  await transactions()
  await database.grouped.run(forget, [])
  await database.grouped.run(forget, [])
  await transactions()
  await transactions()
  const [first, second] = await transactions()
  expect(first).toEqual(second)
})
