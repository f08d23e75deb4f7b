import { connect, createServer } from 'node:net'
import pg from 'pg'
import * as v from 'valibot'
import { describe, expect, inject, it, vi } from 'vitest'
import { createTestDatabase } from '../../testing/test-database.ts'
import { createDatabase } from './database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { isUnavailable } from './faults.ts'

describe('a transaction', () => {
  it('whose connection is lost is refused as unavailable, and the next one works', async () => {
    const database = await createTestDatabase()
    const end = testStatement('t_end', 'SELECT pg_terminate_backend(pg_backend_pid())')
    const lost = database.transaction((queries) => queries.run(end, []))
    await expect(lost).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(
      await database.transaction((queries) => queries.run(testStatement('t_one', 'SELECT 1 AS one'), [])),
    ).toEqual([{ one: 1 }])
    await database.close()
  })

  it('that fails leaves nothing', async () => {
    const database = await createTestDatabase()
    await database.script('CREATE TABLE things (id int)')
    const add = testStatement('t_add', 'INSERT INTO things VALUES (1)')
    const failing = database.transaction(async (queries) => {
      await queries.run(add, [])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await database.run(testStatement('t_things', 'SELECT id FROM things'), [])).toEqual([])
    await database.close()
  })
})

it('no server compiles statements, which takes longer than they do', async () => {
  const database = await createTestDatabase()
  const compiles = testStatement<{ jit: string }>('t_compiles', 'SHOW jit')
  expect(await database.run(compiles, [])).toEqual([{ jit: 'off' }])
  await database.close()
})

it('a server that does not know of compiling is used as it is', async () => {
  const { host, port, user } = new pg.Client({ connectionString: inject('connectionString') })
  const server = createServer((caller) => {
    const behind = connect(`${host}/.s.PGSQL.${port}`)
    caller.on('data', (bytes) => behind.write(bytes.toString('latin1').replaceAll('jit', 'jot'), 'latin1'))
    behind.pipe(caller).on('close', () => behind.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = v.parse(v.object({ port: v.number() }), server.address())
  const connectionString = `postgres://${user}@127.0.0.1:${at.port}/postgres`
  const database = createDatabase({ connectionString, connections: 1, onIdleError: () => undefined })
  await database.check()
  await database.close()
  server.close()
})

describe('a server that can do no work just now', () => {
  const backend = testStatement<{ id: number }>('t_backend', 'SELECT pg_backend_pid() AS id')
  const become = (parameter: string, value: string) =>
    testStatement(`t_${parameter}`, `SELECT set_config('${parameter}', '${value}', false)`)

  it.each([
    [
      'has become a standby by a fail-over (25006)',
      'default_transaction_read_only',
      'on',
      'CREATE TABLE t (id int)',
    ],
    ['is too slow for a statement (57014)', 'statement_timeout', '20', 'SELECT pg_sleep(5)'],
  ])('because it %s is unavailable, and its connection is given up', async (_why, parameter, value, work) => {
    const database = await createTestDatabase()
    const [before] = await database.run(backend, [])
    await database.run(become(parameter, value), [])
    const words = { code: 'service_unavailable', retryAfter: 2 }
    const asked = testStatement('t_work', work)
    await expect(database.transaction((queries) => queries.run(asked, []))).rejects.toMatchObject(words)
    expect(await database.run(backend, [])).not.toEqual([before])
    await database.run(become(parameter, value), [])
    await expect(database.run(asked, [])).rejects.toMatchObject(words)
    expect(await database.run(testStatement('t_one', 'SELECT 1 AS one'), [])).toEqual([{ one: 1 }])
    await database.close()
  })

  it('because somebody holds a lock for longer than its role may wait is unavailable', async () => {
    const database = await createTestDatabase()
    await database.script('CREATE TABLE things (id int)')
    const lock = testStatement('t_lock', 'LOCK TABLE things')
    await database.transaction(async (holder) => {
      await holder.run(lock, [])
      const waiting = database.transaction(async (queries) => {
        await queries.run(become('lock_timeout', '20'), [])
        await queries.run(lock, [])
      })
      await expect(waiting).rejects.toMatchObject({ code: 'service_unavailable' })
    })
    await database.close()
  })

  it.each(['database.invalid', '127.0.0.1:1'])('at %s is unavailable', async (host) => {
    const database = createDatabase({
      connectionString: `postgres://svc@${host}/svc`,
      connections: 1,
      onIdleError: () => undefined,
    })
    await expect(database.run(backend, [])).rejects.toMatchObject({ code: 'service_unavailable' })
    await database.close()
  })

  it('that takes connections and never answers is unavailable, also to shared connections', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = v.parse(v.object({ port: v.number() }), server.address())
    const connectionString = `postgres://postgres@127.0.0.1:${port}/postgres`
    const database = createDatabase({ connectionString, connections: 2, onIdleError: () => undefined })
    const asked = [database.run(backend, []), database.grouped.run(backend, [])]
    for (const outcome of await Promise.allSettled(asked))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'service_unavailable' } })
    await database.close()
    server.close()
  })

  it('for a connection that was closed is unavailable', async () => {
    const client = new pg.Client({ connectionString: inject('connectionString') })
    await client.connect()
    await client.end()
    const error: unknown = await client.query('SELECT 1').catch((refusal: unknown) => refusal)
    expect([String(error), isUnavailable(error)]).toEqual([
      'Error: Client was closed and is not queryable',
      true,
    ])
  })
})

describe('a connection', () => {
  const session = testStatement<{ name: string; zone: string; reads_only: string }>(
    't_session',
    `SELECT current_database() AS name, current_setting('TimeZone') AS zone,
            current_setting('default_transaction_read_only') AS reads_only`,
  )

  it('depends on its own setting, and on none that other programs of PostgreSQL are given', async () => {
    const given = {
      PGHOST: '/nowhere',
      PGPORT: '1',
      PGUSER: 'nobody',
      PGPASSWORD: 'wrong',
      PGDATABASE: 'nowhere',
      PGOPTIONS: '-c default_transaction_read_only=on -c TimeZone=Asia/Tokyo',
      PGSSLMODE: 'require',
      PGSSLNEGOTIATION: 'nonsense',
      PGAPPNAME: 'other',
      PGREPLICATION: 'database',
    }
    for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value)
    const database = createDatabase({
      connectionString: inject('connectionString'),
      connections: 1,
      onIdleError: () => undefined,
    })
    expect(await database.run(session, [])).toMatchObject([{ name: 'postgres', reads_only: 'off' }])
    await database.close()
    vi.unstubAllEnvs()
  })
})

describe('a look at whether the server can write', () => {
  const readOnly = (value: 'on' | 'off') => `ALTER DATABASE %s SET default_transaction_read_only = ${value}`

  it('says no from the first write that was refused until the server writes again', async () => {
    const database = await createTestDatabase()
    await database.check()
    const [row] = await database.run(
      testStatement<{ name: string }>('t_own_name', 'SELECT current_database() AS name'),
      [],
    )
    const name = row?.name ?? ''
    const fresh = createDatabase({
      connectionString: inject('connectionString').replace('/postgres?', `/${name}?`),
      connections: 2,
      onIdleError: () => undefined,
    })
    await database.script(readOnly('on').replace('%s', name))
    await fresh.check()
    const write = testStatement('t_write', 'CREATE TABLE t (id int)')
    await expect(fresh.transaction((queries) => queries.run(write, []))).rejects.toMatchObject({
      code: 'service_unavailable',
    })
    await expect(fresh.check()).rejects.toThrow('takes no writes')
    await database.script(`SET default_transaction_read_only = off; ${readOnly('off').replace('%s', name)}`)
    await vi.waitFor(() => fresh.check(), { timeout: 10_000, interval: 100 })
    const left = testStatement('t_left', `SELECT 1 FROM pg_class WHERE relname LIKE 'svc_write_trial%'`)
    expect(await fresh.run(left, [])).toEqual([])
    await fresh.close()
    await database.close()
  })
})
