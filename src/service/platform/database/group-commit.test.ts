import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { isConflict } from './database.ts'
import type { Database } from './database.ts'

const add = testStatement('t_add_thing', 'INSERT INTO things (id) VALUES ($1)')
const addLate = testStatement('t_add_late', 'INSERT INTO late (id) VALUES ($1)')
const touch = testStatement<{ id: number }>(
  't_touch',
  'UPDATE things SET n = n + 1 WHERE id = $1 RETURNING id',
)
const count = testStatement<{ n: number }>(
  't_count',
  'SELECT count(*)::int AS n FROM things WHERE id = ANY ($1)',
)
const countLate = testStatement<{ n: number }>('t_count_late', 'SELECT count(*)::int AS n FROM late')
const transactionOf = testStatement<{ id: string }>(
  't_transaction',
  'SELECT pg_current_xact_id()::text AS id',
)
const end = testStatement('t_end', 'SELECT pg_terminate_backend(pg_backend_pid())')

let database: Database
beforeAll(async () => {
  database = await createTestDatabase()
  await database.script(`
    CREATE TABLE things (id int PRIMARY KEY, n int NOT NULL DEFAULT 0);
    CREATE TABLE late (id int, UNIQUE (id) DEFERRABLE INITIALLY DEFERRED);`)
})
afterAll(() => database.close())

const numbers = (first: number, length: number) => Array.from({ length }, (_, at) => first + at)
const kept = async (ids: number[]) => (await database.run(count, [ids]))[0]?.n

describe('statements that come at once', () => {
  it('share transactions, and each caller gets its own rows', async () => {
    const ids = numbers(100, 100)
    await Promise.all(ids.map((id) => database.grouped.run(add, [id])))
    const rows = await Promise.all(ids.map((id) => database.grouped.run(touch, [id])))
    expect(rows).toEqual(ids.map((id) => [{ id }]))
    const transactions = await Promise.all(ids.map(() => database.grouped.run(transactionOf, [])))
    expect(new Set(transactions.map(([row]) => row?.id)).size).toBeLessThan(10)
  })

  it('are kept but for the one that fails, which is told its own fault', async () => {
    await database.run(add, [7])
    const ids = numbers(1, 20)
    const outcomes = await Promise.allSettled(ids.map((id) => database.grouped.run(add, [id])))
    const failed = outcomes.flatMap((outcome, at) =>
      outcome.status === 'rejected' && isConflict(outcome.reason, 'things_pkey') ? [ids[at]] : [],
    )
    expect(failed).toEqual([7])
    expect(await kept(ids)).toBe(20)
  })

  it('do not wait for a row that another of them has to wait for', async () => {
    await database.run(add, [1000])
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    const holder = database.transaction(async (queries) => {
      await queries.run(touch, [1000])
      await released
    })
    const waiter = database.grouped.run(touch, [1000])
    const ids = numbers(1001, 15)
    await Promise.all(ids.map((id) => database.grouped.run(add, [id])))
    expect(await kept(ids)).toBe(15)
    release()
    await holder
    expect(await waiter).toEqual([{ id: 1000 }])
  })

  it('are all refused as unavailable with a connection that is lost, and the next ones work', async () => {
    const ids = numbers(2000, 10)
    const lost = ids.map((id) => database.grouped.run(id === 2005 ? end : add, id === 2005 ? [] : [id]))
    for (const outcome of await Promise.allSettled(lost))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'service_unavailable' } })
    expect(await kept(ids)).toBe(0)
    await Promise.all(ids.map((id) => database.grouped.run(add, [id])))
    expect(await kept(ids)).toBe(10)
  })

  it('are not answered before they are kept: where the commit fails, so do all', async () => {
    const outcomes = await Promise.allSettled(
      [...numbers(1, 12), 12].map((id) => database.grouped.run(addLate, [id])),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([])
    expect(await database.run(countLate, [])).toEqual([{ n: 0 }])
  })
})

it('a statement that comes alone is run as it is, and told its own fault', async () => {
  await database.grouped.run(add, [3000])
  await expect(database.grouped.run(add, [3000])).rejects.toMatchObject({ code: '23505' })
  await database.grouped.run(add, [3001])
  expect(await kept([3000, 3001])).toBe(2)
})
