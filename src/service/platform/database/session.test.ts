import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import {
  FAREWELL,
  IDLE_TOO_LONG,
  NO_ROWS,
  startFakePostgres,
  startRelay,
} from '../../testing/fake-postgres.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { createDatabase } from './database.ts'
import type { Database } from './database.ts'

const open = (connectionString: string) =>
  createDatabase({ connectionString, connections: 2, onIdleError: () => undefined })

/** What a connection of each kind has as the value of a setting. */
async function valuesOn(database: Database, name: string): Promise<string[]> {
  const show = testStatement<{ value: string }>(
    `t_show_${name}`,
    `SELECT current_setting('${name}') AS value`,
  )
  const rows = [
    await database.run(show, []),
    await database.grouped.run(show, []),
    await database.transaction((queries) => queries.run(show, [])),
  ]
  return rows.map(([row]) => row?.value ?? '')
}

describe('a session', () => {
  let admin: Database
  let name: string
  beforeAll(async () => {
    admin = await createTestDatabase()
    const own = testStatement<{ name: string }>('t_own_name', 'SELECT current_database() AS name')
    name = (await admin.run(own, []))[0]?.name ?? ''
  })
  afterAll(() => admin.close())
  const carrying = async (setting: string, value: string) => {
    await admin.script(`ALTER DATABASE ${name} SET ${setting} = ${value}`)
    const database = open(inject('connectionString').replace('/postgres?', `/${name}?`))
    onTestFinished(async () => {
      await database.close()
      await admin.script(`ALTER DATABASE ${name} RESET ${setting}`)
    })
    return database
  }

  it.each([
    ['DateStyle', "'German, DMY'", 'ISO, MDY'],
    ['DateStyle', "'ISO, DMY'", 'ISO, DMY'],
    ['TimeZone', "'Africa/Monrovia'", 'UTC'],
    ['IntervalStyle', 'iso_8601', 'postgres'],
    ['array_nulls', 'off', 'on'],
    ['transform_null_equals', 'on', 'off'],
    ['standard_conforming_strings', 'off', 'on'],
    ['bytea_output', 'escape', 'hex'],
    ['extra_float_digits', '-15', '1'],
    ['synchronous_commit', 'off', 'on'],
    ['synchronous_commit', 'local', 'on'],
    ['synchronous_commit', 'remote_apply', 'remote_apply'],
    ['session_replication_role', 'replica', 'origin'],
    ['exit_on_error', 'on', 'off'],
    ['default_transaction_isolation', 'serializable', 'read committed'],
    ['statement_timeout', "'5min'", '10s'],
    ['lock_timeout', '100', '0'],
    ['idle_in_transaction_session_timeout', '100', '0'],
    ['idle_in_transaction_session_timeout', '120000', '2min'],
    ['idle_session_timeout', '500', '0'],
    ['transaction_timeout', '5000', '0'],
    ['plan_cache_mode', 'force_generic_plan', 'auto'],
    ['jit', 'on', 'off'],
    ['client_encoding', 'LATIN1', 'UTF8'],
  ])('of a database with %s = %s has %s on every connection', async (setting, value, wanted) => {
    const database = await carrying(setting, value)
    expect(await valuesOn(database, setting)).toEqual([
      wanted,
      // Groups limit it for themselves.
      setting === 'lock_timeout' ? '50ms' : wanted,
      wanted,
    ])
  })

  it.each([
    ['idle_session_timeout', '1', '0'],
    ['transaction_timeout', '1', '0'],
    ['statement_timeout', '1', '10s'],
    ['idle_in_transaction_session_timeout', '1', '0'],
    ['lock_timeout', '1', '0'],
  ])('that %s = %s ms ends before it can be changed begins with another', async (setting, value, wanted) => {
    // Far away, so that a round trip takes longer than that.
    const far = await startRelay(5)
    await carrying(setting, value)
    const database = open(`postgres://svc@${far}/${name}`)
    onTestFinished(() => database.close())
    const many = await Promise.all(Array.from({ length: 6 }, () => valuesOn(database, setting)))
    const inGroups = setting === 'lock_timeout' ? '50ms' : wanted
    expect(new Set(many.flat())).toEqual(new Set([wanted, inGroups]))
    await database.check()
  })

  it('that cannot be opened any more fails the health check; open ones go on', async () => {
    const role = `leaver_of_${name}`
    await admin.script(`CREATE ROLE ${role} LOGIN`)
    const database = open(
      inject('connectionString').replace('/postgres?', `/${name}?`).replace('svc@', `${role}@`),
    )
    const one = testStatement('t_one', 'SELECT 1 AS one')
    onTestFinished(async () => {
      await database.close()
      await admin.script(`DROP ROLE ${role}`)
    })
    await database.check()
    await admin.script(`ALTER ROLE ${role} NOLOGIN`)
    await database.check()
    await expect(database.grouped.run(one, [])).rejects.toMatchObject({ code: 'service_unavailable' })
    await expect(database.check()).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(await database.run(one, [])).toEqual([{ one: 1 }])
    await admin.script(`ALTER ROLE ${role} LOGIN`)
    await database.check()
  })

  it('beside the pool, for what can be part of no transaction, has them too', async () => {
    const database = await carrying('synchronous_commit', 'off')
    await admin.script('CREATE TABLE noted (value text)')
    await database.outsideTransaction("INSERT INTO noted VALUES (current_setting('synchronous_commit'))")
    const noted = testStatement<{ value: string }>('t_noted', 'SELECT value FROM noted')
    expect(await admin.run(noted, [])).toEqual([{ value: 'on' }])
  })

  it.each([
    ['search_path', 'nowhere', '"$user", public'],
    ['role', 'pg_monitor', 'none'],
  ])('has the %s of the first one, whatever is set later', async (setting, value, wanted) => {
    const database = open(inject('connectionString').replace('/postgres?', `/${name}?`))
    const shown = testStatement<{ value: string }>('t_first', `SELECT current_setting('${setting}') AS value`)
    expect(await database.run(shown, [])).toEqual([{ value: wanted }])
    await admin.script(`ALTER DATABASE ${name} SET ${setting} = ${value}`)
    onTestFinished(async () => {
      await database.close()
      await admin.script(`ALTER DATABASE ${name} RESET ${setting}`)
    })
    // The pool's first connection was made before; two transactions at once need another one.
    const both = await database.transaction((queries) =>
      Promise.all([queries.run(shown, []), database.run(shown, []), database.grouped.run(shown, [])]),
    )
    expect(both).toEqual([[{ value: wanted }], [{ value: wanted }], [{ value: wanted }]])
  })

  it('that the role may not change is refused with the statement that changes it', async () => {
    const role = `role_of_${name}`
    await admin.script(`CREATE ROLE ${role} LOGIN; ALTER ROLE ${role} SET session_replication_role = replica`)
    const url = inject('connectionString').replace('/postgres?', `/${name}?`).replace('svc@', `${role}@`)
    const database = open(url)
    const one = testStatement('t_one', 'SELECT 1 AS one')
    const refusal: unknown = await database.run(one, []).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'service_unavailable' })
    expect(String(refusal instanceof Error && refusal.cause)).toContain(
      `ALTER ROLE ${role} IN DATABASE ${name} SET session_replication_role = 'origin'`,
    )
    await database.close()
    await admin.script(`DROP ROLE ${role}`)
  })
})

describe('behind a pooler, a session', () => {
  const one = testStatement('t_one', 'SELECT $1::int AS one')
  const askWith = async (name: string, setting: string) => {
    const row = { name, setting, backend: '9', role: 'svc', database: 'svc' }
    const place = await startFakePostgres({ row, answer: (socket) => socket.write(NO_ROWS) })
    const database = open(`postgres://svc@${place}/svc`)
    onTestFinished(() => database.close())
    const answer: unknown = await database.run(one, [1]).catch((error: unknown) => error)
    return answer instanceof Error ? String(answer.cause) : answer
  }

  it.each([
    ['array_nulls', 'off', "SET array_nulls = 'on'"],
    ['synchronous_commit', 'off', "SET synchronous_commit = 'on'"],
    ['exit_on_error', 'on', "SET exit_on_error = 'off'"],
    ['statement_timeout', '50', "SET statement_timeout = '10s'"],
  ])('with %s = %s is refused with the statement that changes it', async (name, setting, cure) => {
    expect(await askWith(name, setting)).toContain(`ALTER ROLE svc IN DATABASE svc ${cure}`)
  })

  it.each([
    ['DateStyle', 'German, DMY'],
    ['statement_timeout', '30000'],
    ['jit', 'on'],
  ])('with %s = %s is used, as poolers carry it or nothing depends on it', async (name, setting) => {
    expect(await askWith(name, setting)).toEqual([])
  })
})

describe('a server that takes leave in one packet with its answer', () => {
  const one = testStatement('t_one', 'SELECT $1::int AS one')

  it('ends no process, when another one waits for the connection', async () => {
    const place = await startFakePostgres({
      answer: (socket) => socket.write(Buffer.concat([NO_ROWS, FAREWELL])),
    })
    const connectionString = `postgres://svc@${place}/svc`
    const database = createDatabase({ connectionString, connections: 1, onIdleError: () => undefined })
    const asked = [
      database.run(one, [1]),
      database.transaction((queries) => queries.run(one, [1])),
      database.transaction((queries) => queries.run(one, [1])),
      database.run(one, [1]),
    ]
    for (const outcome of await Promise.allSettled(asked))
      expect(outcome.status === 'fulfilled' || outcome.reason).toSatisfy(
        (found) => found === true || Reflect.get(Object(found), 'code') === 'service_unavailable',
      )
    await database.close()
  })

  it('by a limit of its role that cannot be got round is told with its cure', async () => {
    const database = open(`postgres://svc@${await startFakePostgres({ greeting: [IDLE_TOO_LONG] })}/shop`)
    for (const asked of [() => database.run(one, [1]), () => database.grouped.run(one, [1])]) {
      const refusal: unknown = await asked().catch((error: unknown) => error)
      expect(String(refusal instanceof Error && refusal.cause)).toContain(
        'ALTER ROLE "svc" IN DATABASE "shop" SET idle_session_timeout = \'0\'',
      )
    }
    await database.close()
  })

  it('ends no process, while it signs in', async () => {
    const database = open(`postgres://svc@${await startFakePostgres({ greeting: [FAREWELL, FAREWELL] })}/svc`)
    const asked = [
      database.run(one, [1]),
      database.grouped.run(one, [1]),
      database.outsideTransaction('VACUUM'),
    ]
    for (const outcome of await Promise.allSettled(asked)) expect(outcome.status).toBe('rejected')
    await database.close()
  })
})
