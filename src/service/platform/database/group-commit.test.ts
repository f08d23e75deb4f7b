import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRelayThatCuts } from '../../testing/fake-postgres.ts'
import { createTestDatabase, urlAt } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { createDatabase } from './database.ts'
import type { Database } from './database.ts'
import { isConflict } from './faults.ts'

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
const echo = testStatement<{ words: string[]; n: string; at: Date; bytes: Buffer; none: null; yes: boolean }>(
  't_echo',
  'SELECT $1::text[] AS words, $2::int8 AS n, $3::timestamptz AS at, $4::bytea AS bytes, $5::text AS none, $6::bool AS yes',
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

it('keeps the others of a group when the values of one cannot be written, and goes on', async () => {
  const unreadable = Object.defineProperty(Buffer.from('b'), 'length', {
    get: () => {
      throw new Error('unreadable')
    },
  })
  const ids = numbers(2100, 10)
  const unwritten = database.grouped.run(echo, [[], 0, new Date(0), unreadable, null, true])
  const others = ids.map((id) => database.grouped.run(add, [id]))
  await expect(unwritten).rejects.toThrow('unreadable')
  await Promise.all(others)
  expect(await kept(ids)).toBe(10)
  const values = [['a'], 1, new Date(0), Buffer.from('b'), null, true]
  const again = await Promise.all([
    database.grouped.run(echo, values),
    database.grouped.run(transactionOf, []),
  ])
  expect(again[0]).toEqual(await database.run(echo, values))
})

it('gives a statement its values, and its caller the rows, as they are run alone', async () => {
  const words = ['a "quoted" word', 'back\\slash', 'comma, {brace}', '', 'NULL', 'ü']
  const values = [
    words,
    900_719_925_474,
    new Date('2026-11-23T01:02:03.456Z'),
    Buffer.from('00ff', 'hex'),
    null,
    true,
  ]
  const rows = await database.grouped.run(echo, values)
  expect(rows).toEqual(await database.run(echo, values))
  expect(rows[0]?.words).toEqual(words)
})

it('keeps a group together of which a statement has failed when it was first prepared', async () => {
  const addAgain = testStatement('t_add_again', 'INSERT INTO things (id) VALUES ($1)')
  await database.run(add, [6000])
  await expect(database.grouped.run(addAgain, [6000])).rejects.toMatchObject({ code: '23505' })
  const [, first, , last] = await Promise.all([
    database.grouped.run(addAgain, [6001]),
    database.grouped.run(transactionOf, []),
    database.grouped.run(addAgain, [6002]),
    database.grouped.run(transactionOf, []),
  ])
  expect(first).toEqual(last)
})

it('answers the same read of one moment once, and never with older data than the question', async () => {
  await database.run(add, [7000])
  const look = testStatement<{ n: number; id: string }>(
    't_look',
    'SELECT n, clock_timestamp()::text AS id FROM things WHERE id = $1',
  )
  const [[first], [second]] = await Promise.all([
    database.grouped.read(look, [7000]),
    database.grouped.read(look, [7000]),
  ])
  expect(first).toEqual(second)
  for (let n = 1; n <= 20; n += 1) {
    const older = database.grouped.read(look, [7000])
    await database.run(touch, [7000])
    expect(await database.grouped.read(look, [7000])).toMatchObject([{ n }])
    await older
  }
})

it('a statement that comes alone is run as it is, and told its own fault', async () => {
  await database.grouped.run(add, [3000])
  await expect(database.grouped.run(add, [3000])).rejects.toMatchObject({ code: '23505' })
  await database.grouped.run(add, [3001])
  expect(await kept([3000, 3001])).toBe(2)
})

const serverOf = testStatement<{ pid: number }>('t_server', 'SELECT pg_backend_pid() AS pid')

describe('a database that closes', () => {
  it('first keeps what waits for a row, each alone', async () => {
    const closing = await createTestDatabase()
    await closing.script(
      'CREATE TABLE things (id int PRIMARY KEY, n int NOT NULL DEFAULT 0); INSERT INTO things VALUES (1)',
    )
    const holder = closing.transaction(async (queries) => {
      await queries.run(touch, [1])
      await sleep(300)
    })
    await sleep(50)
    const waiter = closing.grouped.run(touch, [1])
    const closed = closing.close()
    await holder
    expect(await waiter).toEqual([{ id: 1 }])
    await closed
  })

  it('goes on without a server that has fallen silent', async () => {
    const closing = await createTestDatabase()
    const server = (await closing.grouped.run(serverOf, []))[0]?.pid ?? 0
    process.kill(server, 'SIGSTOP')
    try {
      await closing.close()
    } finally {
      process.kill(server, 'SIGCONT')
    }
  })
})

describe('a lost connection', () => {
  const countAbove = testStatement<{ n: number }>(
    't_count_above',
    'SELECT count(*)::int AS n FROM things WHERE id > $1',
  )
  const forget = testStatement('t_forget', 'DEALLOCATE ALL')
  const limit = testStatement('t_limit', "SELECT set_config('transaction_timeout', $1, true)")
  const nap = testStatement('t_nap', 'SELECT pg_sleep($1)')

  let other: Database
  beforeAll(async () => {
    other = await createTestDatabase()
    await other.script('CREATE TABLE things (id int PRIMARY KEY); INSERT INTO things VALUES (1)')
  })
  afterAll(() => other.close())

  const refused = { status: 'rejected', reason: { code: 'service_unavailable' } }

  describe('of a group', () => {
    it('after one statement has failed refuses all, and tells nobody the fault of another', async () => {
      const connectionString = await urlAt(other, await startRelayThatCuts('C23505'))
      const behind = createDatabase({ connectionString, connections: 2, onIdleError: () => undefined })
      const outcomes = await Promise.allSettled([100, 1, 101].map((id) => behind.grouped.run(add, [id])))
      expect(outcomes).toMatchObject([refused, refused, refused])
      expect(await other.run(countAbove, [99])).toEqual([{ n: 0 }])
      await behind.close()
    })

    it('after a transaction that took too long refuses all as unavailable', async () => {
      const outcomes = await Promise.allSettled([
        other.grouped.run(add, [200]),
        other.grouped.run(limit, ['100']),
        other.grouped.run(nap, [5]),
      ])
      expect(outcomes).toMatchObject([refused, refused, refused])
      expect(await other.run(countAbove, [199])).toEqual([{ n: 0 }])
    })
  })

  it('that has lost what it had prepared is given up, and later groups share transactions again', async () => {
    const transactions = () => Promise.all([1, 2].map(() => other.grouped.run(transactionOf, [])))
    await transactions()
    await other.grouped.run(forget, [])
    await other.grouped.run(forget, [])
    await transactions()
    await transactions()
    const [first, second] = await transactions()
    expect(first).toEqual(second)
  })
})
