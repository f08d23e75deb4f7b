import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { createDatabase } from './database.ts'
import type { Database, Transaction } from './database.ts'
import { indexChangesOf, migrate, refuseOtherSchema, requireSchema, schemaSteps } from './migrate.ts'
import type { Migration } from './migrate.ts'
import { migrations } from './migrations.ts'

const checksums = testStatement<{ version: string; checksum: string }>(
  't_checksums',
  'SELECT version, checksum FROM schema_migrations ORDER BY version',
)

describe('migrations', () => {
  it('run once, also when many processes start at once', async () => {
    const database = await createTestDatabase()
    await Promise.all(Array.from({ length: 4 }, () => migrate(database, migrations)))
    const versions = (await database.run(checksums, [])).map(({ version }) => version)
    expect(versions).toEqual(migrations.map(({ version }) => version))
    await database.close()
  })
})

describe('a schema', () => {
  const first = { version: '001-things', sql: 'CREATE TABLE things (id int);\n' }
  const things = testStatement<{ id: number }>('t_things', 'SELECT id FROM things')

  it('with a step that this version lacks is refused in one line, and nothing is changed', async () => {
    const database = await createTestDatabase()
    await migrate(database, [first, { version: '099-newer', sql: 'CREATE TABLE newer (id int)' }])
    const more = { version: '002-more', sql: 'CREATE TABLE more (id int)' }
    await expect(migrate(database, [first, more])).rejects.toThrow(/^[^\n]*newer[^\n]*099-newer[^\n]*$/)
    expect((await database.run(checksums, [])).map(({ version }) => version)).toEqual([
      '001-things',
      '099-newer',
    ])
    await database.close()
  })

  it('that is newer is refused without a change too; an older or an empty one is not', async () => {
    const database = await createTestDatabase()
    const newer = { version: '099-newer', sql: 'CREATE TABLE newer (id int)' }
    await refuseOtherSchema(database, [first])
    await migrate(database, [first, newer])
    await expect(refuseOtherSchema(database, [first])).rejects.toThrow(/^[^\n]*newer[^\n]*099-newer[^\n]*$/)
    await refuseOtherSchema(database, [first, newer, { version: '100-newest', sql: '' }])
    await database.close()
  })

  it('is required whole: an older, an empty or a newer one is refused with what to do', async () => {
    const database = await createTestDatabase()
    const all = [first, { version: '002-more', sql: 'SELECT 1' }, { version: '003-most', sql: 'SELECT 1' }]
    await expect(requireSchema(database, all)).rejects.toThrow(
      /lacks 001-things and 2 more\): run svc migrate/,
    )
    expect(await schemaSteps(database, [first])).toEqual([
      { version: '001-things', state: 'pending', appliedAt: null },
    ])
    await migrate(database, all.slice(0, 2))
    await expect(requireSchema(database, all)).rejects.toThrow(
      /^[^\n]*lacks 003-most\): run svc migrate[^\n]*$/,
    )
    await requireSchema(database, all.slice(0, 2))
    await expect(requireSchema(database, [first])).rejects.toThrow(/newer[^\n]*002-more/)
    const changed = { ...first, sql: 'CREATE TABLE things (id bigint);' }
    await expect(requireSchema(database, [changed, ...all.slice(1, 2)])).rejects.toThrow('001-things')
    await database.close()
  })

  it('whose step has changed is refused by its name; white space and comments do not count', async () => {
    const database = await createTestDatabase()
    await migrate(database, [first])
    await migrate(database, [{ ...first, sql: '\n-- Things.\nCREATE TABLE   things\n  (id int);' }])
    const changed = { ...first, sql: 'CREATE TABLE things (id bigint);' }
    await expect(migrate(database, [changed])).rejects.toThrow(/^[^\n]*001-things[^\n]*$/)
    await database.close()
  })

  it.each([
    [
      '1.0',
      'CREATE TABLE schema_migrations (version text PRIMARY KEY, applied_at timestamptz DEFAULT now())',
    ],
    [
      '1.1',
      'CREATE TABLE schema_migrations (version text PRIMARY KEY, applied_at timestamptz DEFAULT now(), checksum text)',
    ],
  ])('of version %s is refused in one line that says what to start on', async (_, table) => {
    const database = await createTestDatabase()
    await database.script(`${table}; INSERT INTO schema_migrations (version) VALUES ('001-merchants')`)
    const words = /^[^\n]*from before version 1\.2\.0[^\n]*start on an empty one[^\n]*$/
    await expect(migrate(database, migrations)).rejects.toThrow(words)
    await expect(requireSchema(database, migrations)).rejects.toThrow(words)
    expect(await schemaSteps(database, migrations)).toMatchObject([
      ...migrations.map(({ version }) => ({ version, state: 'pending' })),
      { version: '001-merchants', state: 'unknown' },
    ])
    await database.close()
  })

  it('may have a function in it whose body has several statements', async () => {
    const database = await createTestDatabase()
    const body = `CREATE TABLE things (id int);
CREATE FUNCTION add_two() RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO things VALUES (1);
  INSERT INTO things VALUES (2);
END;
$body$;
SELECT add_two();
`
    await migrate(database, [{ version: '001-function', sql: body }])
    expect(await database.run(things, [])).toEqual([{ id: 1 }, { id: 2 }])
    await database.close()
  })

  it('keeps nothing of a step that fails halfway', async () => {
    const database = await createTestDatabase()
    const halfway = { version: '001-things', sql: 'CREATE TABLE things (id int);\nSELECT 1 / 0;' }
    await expect(migrate(database, [halfway])).rejects.toThrow('division by zero')
    expect(await database.run(checksums, [])).toEqual([])
    await expect(database.run(things, [])).rejects.toThrow('does not exist')
    await database.close()
  })
})

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

  it('its turn stays where the server ends idle transactions', async () => {
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

it('a step that waits for a lock gives way after a second and is run later', async () => {
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

const namesIn = (sql: string, pattern: RegExp) => [...sql.matchAll(pattern)].map(([, name]) => name)
const tablesOf = ({ sql }: Migration) => namesIn(sql, /CREATE (?:UNLOGGED )?TABLE ([\w.]+)/g)

it('an index of an existing table is made by a step that makes only indexes', () => {
  const there = migrations.slice(0, 1).flatMap(tablesOf)
  for (const step of migrations.slice(1)) {
    const indexed = namesIn(step.sql, /CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?\w+\s+ON ([\w.]+)/g)
    if (indexChangesOf(step.sql) === null) for (const table of indexed) expect(there).not.toContain(table)
    there.push(...tablesOf(step))
  }
})
