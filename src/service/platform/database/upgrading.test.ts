import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { createDatabase } from './database.ts'
import type { Database, Transaction } from './database.ts'
import { indexChangesOf } from './index-steps.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'

const STEPS = [
  { version: '001-things', sql: 'CREATE TABLE things (id integer, name text);' },
  { version: '002-by-id', sql: 'CREATE INDEX IF NOT EXISTS things_by_id ON things (id);' },
  {
    version: '003-by-name',
    sql: 'CREATE INDEX IF NOT EXISTS things_by_name ON things (name, id DESC) WHERE name IS NOT NULL;\nDROP INDEX things_by_id;',
  },
  { version: '004-color', sql: 'ALTER TABLE things ADD COLUMN color text;' },
]

const indexes = testStatement<{ name: string; is_valid: boolean }>(
  't_indexes',
  `SELECT indexrelid::regclass::text AS name, indisvalid AS is_valid FROM pg_index
   WHERE indrelid = 'things'::regclass ORDER BY 1`,
)
const insert = testStatement('t_insert', "INSERT INTO things (id, name) VALUES (1, 'one')")
const look = testStatement('t_look', 'SELECT FROM things')
const waiting = testStatement<{ pid: number }>(
  't_waiting',
  `SELECT pid FROM pg_stat_activity
   WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE $1`,
)
const nameOf = testStatement<{ name: string }>('t_name_of', 'SELECT current_database() AS name')
const terminate = testStatement('t_terminate', 'SELECT pg_terminate_backend($1)')

let database: Database
beforeAll(async () => (database = await createTestDatabase()))
afterAll(() => database.close())
beforeEach(async () => {
  await database.script('DROP TABLE IF EXISTS things; DROP TABLE IF EXISTS schema_migrations')
})

/** Leaves a transaction open after `begin` while `work` is done. */
async function beside(begin: (queries: Transaction) => Promise<unknown>, work: () => Promise<void>) {
  await database.transaction(async (queries) => {
    await begin(queries)
    await work()
  })
}

/** Waits until a statement like this one waits for a lock. */
async function untilWaits(like: string): Promise<number> {
  for (;;) {
    const [row] = await database.run(waiting, [like])
    if (row !== undefined) return row.pid
    await sleep(10)
  }
}

async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

describe('while a step makes an index', () => {
  const INDEX = '%CREATE INDEX CONCURRENTLY%'

  it('its table is written as ever, also where it waits for somebody', async () => {
    await migrate(database, STEPS.slice(0, 1))
    let upgrading: Promise<void> | undefined
    await beside(
      (queries) => queries.run(insert, []),
      async () => {
        upgrading = migrate(database, STEPS.slice(0, 2))
        await untilWaits(INDEX)
        expect(await tookMs(() => database.run(insert, []))).toBeLessThan(1000)
      },
    )
    await upgrading
    expect(await database.run(indexes, [])).toEqual([{ name: 'things_by_id', is_valid: true }])
  })

  it('and is killed, the next start makes it anew', async () => {
    await migrate(database, STEPS.slice(0, 1))
    await beside(
      (queries) => queries.run(insert, []),
      async () => {
        const upgrading = expect(migrate(database, STEPS.slice(0, 2))).rejects.toThrow('cannot be reached')
        await database.run(terminate, [await untilWaits(INDEX)])
        await upgrading
      },
    )
    expect(await database.run(indexes, [])).toEqual([{ name: 'things_by_id', is_valid: false }])
    await migrate(database, STEPS.slice(0, 2))
    expect(await database.run(indexes, [])).toEqual([{ name: 'things_by_id', is_valid: true }])
  })

  it('its turn is not taken away where the server ends transactions that do nothing', async () => {
    await migrate(database, STEPS.slice(0, 1))
    await database.run(insert, [])
    const [row] = await database.run(nameOf, [])
    const settings = `ALTER DATABASE ${row?.name ?? ''}`
    await database.script(`
      ${settings} SET idle_in_transaction_session_timeout = '100ms';
      CREATE OR REPLACE FUNCTION slow(id integer) RETURNS integer IMMUTABLE LANGUAGE plpgsql
        AS 'BEGIN PERFORM pg_sleep(0.5); RETURN id; END'`)
    const connectionString = inject('connectionString').replace('/postgres?', `/${row?.name ?? ''}?`)
    const limited = createDatabase({ connectionString, connections: 2, onIdleError: () => undefined })
    onTestFinished(async () => {
      await limited.close()
      await database.script(`${settings} RESET idle_in_transaction_session_timeout`)
    })
    const slow = { version: '002-slow', sql: 'CREATE INDEX IF NOT EXISTS things_slow ON things (slow(id));' }
    await migrate(limited, [...STEPS.slice(0, 1), slow])
    expect(await database.run(indexes, [])).toEqual([{ name: 'things_slow', is_valid: true }])
  })

  it('other processes that start wait for it, and each index is made once', async () => {
    await migrate(database, STEPS.slice(0, 1))
    await Promise.all(Array.from({ length: 3 }, () => migrate(database, STEPS.slice(0, 3))))
    expect(await database.run(indexes, [])).toEqual([{ name: 'things_by_name', is_valid: true }])
  })
})

it('an index that an operator has made before is left as it is', async () => {
  await migrate(database, STEPS.slice(0, 1))
  await database.script('CREATE INDEX things_by_id ON things (id DESC)')
  await migrate(database, STEPS.slice(0, 2))
  const definition = testStatement<{ words: string }>(
    't_definition',
    "SELECT pg_get_indexdef('things_by_id'::regclass) AS words",
  )
  expect((await database.run(definition, []))[0]?.words).toContain('id DESC')
})

it('a step that waits for a lock lets those behind it go after a second, and comes to its turn later', async () => {
  await migrate(database, STEPS.slice(0, 3))
  let upgrading: Promise<void> | undefined
  await beside(
    (queries) => queries.run(look, []),
    async () => {
      upgrading = migrate(database, STEPS)
      await untilWaits('%ADD COLUMN%')
      expect(await tookMs(() => database.run(insert, []))).toBeLessThan(2000)
    },
  )
  await upgrading
  await database.script("UPDATE things SET color = 'red'")
})

/** Indexes that were made with their tables' writers waiting, in 1.2.0 and from a version whose processes have to stop for it. */
const MADE_AT_A_STOP = [
  'payment_source_tokens_by_key_hash',
  'events_of_people',
  'webhook_deliveries_failed',
  'agreement_payments_by_request',
  'agreement_payments_by_age',
]

it('no other step makes an index of a table that was there before', () => {
  const made = migrations.flatMap(({ sql }) => {
    if (indexChangesOf(sql) !== null) return []
    const tables = [...sql.matchAll(/CREATE (?:UNLOGGED )?TABLE ([\w.]+)/g)].map(([, table]) => table)
    return [...sql.matchAll(/CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?(\w+)\s+ON ([\w.]+)/g)].flatMap(
      ([, name, table]) => (tables.includes(table) ? [] : [name]),
    )
  })
  expect(made).toEqual(MADE_AT_A_STOP)
})
