import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { createTestDatabase } from '../testing/test-database.ts'
import { DataDirInUse, lockDataDir } from './data-dir-lock.ts'
import { createDatabase, statement } from './database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'

describe('migrations', () => {
  it('run once, also when many processes start at once', async () => {
    const database = await createTestDatabase()
    await Promise.all(Array.from({ length: 4 }, () => migrate(database, migrations)))
    const applied = statement<{ version: string }>(
      't_applied',
      'SELECT version FROM schema_migrations ORDER BY version',
    )
    const versions = (await database.run(applied, [])).map(({ version }) => version)
    expect(versions).toEqual(migrations.map(({ version }) => version))
    await database.close()
  })
})

describe('a transaction', () => {
  it('whose connection is lost is refused as unavailable, and the next one works', async () => {
    const database = await createTestDatabase()
    const end = statement('t_end', 'SELECT pg_terminate_backend(pg_backend_pid())')
    const lost = database.transaction((queries) => queries.run(end, []))
    await expect(lost).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(
      await database.transaction((queries) => queries.run(statement('t_one', 'SELECT 1 AS one'), [])),
    ).toEqual([{ one: 1 }])
    await database.close()
  })

  it('that fails leaves nothing', async () => {
    const database = await createTestDatabase()
    await database.script('CREATE TABLE things (id int)')
    const add = statement('t_add', 'INSERT INTO things VALUES (1)')
    const failing = database.transaction(async (queries) => {
      await queries.run(add, [])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await database.run(statement('t_things', 'SELECT id FROM things'), [])).toEqual([])
    await database.close()
  })
})

describe('a server that can do no work just now', () => {
  const backend = statement<{ id: number }>('t_backend', 'SELECT pg_backend_pid() AS id')
  const become = (parameter: string, value: string) =>
    statement(`t_${parameter}`, `SELECT set_config('${parameter}', '${value}', false)`)

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
    const asked = statement('t_work', work)
    await expect(database.transaction((queries) => queries.run(asked, []))).rejects.toMatchObject(words)
    expect(await database.run(backend, [])).not.toEqual([before])
    await database.run(become(parameter, value), [])
    await expect(database.run(asked, [])).rejects.toMatchObject(words)
    expect(await database.run(statement('t_one', 'SELECT 1 AS one'), [])).toEqual([{ one: 1 }])
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
})

describe('the lock of a data folder', () => {
  const folder = () => mkdtempSync(join(tmpdir(), 'svc-lock-'))

  it('is refused to a second service, in words that say what to do', () => {
    const dataDir = folder()
    const release = lockDataDir(dataDir)
    expect(() => lockDataDir(dataDir)).toThrow(DataDirInUse)
    expect(() => lockDataDir(dataDir)).toThrow(/in use by another service.*SVC_DATA_DIR/)
    release()
    lockDataDir(dataDir)()
    rmSync(dataDir, { recursive: true })
  })

  it('is taken over from a process that was killed', async () => {
    const dataDir = folder()
    const child = spawn('sleep', ['60'])
    const stat = readFileSync(`/proc/${String(child.pid)}/stat`, 'utf8')
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    writeFileSync(join(dataDir, 'service.lock'), `${String(child.pid)} ${start}`)
    expect(() => lockDataDir(dataDir)).toThrow(DataDirInUse)
    child.kill('SIGKILL')
    await once(child, 'exit')
    lockDataDir(dataDir)()
    rmSync(dataDir, { recursive: true })
  })

  it('is taken over from a process that was killed and not yet collected', async () => {
    const dataDir = folder()
    // The shell never waits for its child, which is left as a zombie.
    const shell = spawn('/bin/sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const zombie = Number(String((await once(shell.stdout, 'data'))[0]))
    const stat = () => readFileSync(`/proc/${String(zombie)}/stat`, 'utf8')
    await vi.waitFor(() => expect(stat()).toContain(') Z '))
    const start =
      stat()
        .slice(stat().lastIndexOf(')') + 2)
        .split(' ')[19] ?? ''
    writeFileSync(join(dataDir, 'service.lock'), `${String(zombie)} ${start}`)
    lockDataDir(dataDir)()
    shell.kill()
    rmSync(dataDir, { recursive: true })
  })

  it('is taken over when the number of its process was given out again', () => {
    const dataDir = folder()
    writeFileSync(join(dataDir, 'service.lock'), `${String(process.pid)} 1`)
    lockDataDir(dataDir)()
    rmSync(dataDir, { recursive: true })
  })
})
