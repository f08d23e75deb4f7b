import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { createDatabase } from '../database.ts'
import type { Database } from '../database.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { runningPostgres } from './running-postgres.ts'
import { testStatement } from '../../../testing/test-statement.ts'
import { temporaryFolder } from '../../../testing/temporary-folder.ts'

const ROOM_BYTES = 200e6

const count = testStatement<{ count: number }>('t_count', 'SELECT count(*) AS count FROM things')
const progressInterval = testStatement<{ interval: string }>(
  't_progress_interval',
  "SELECT current_setting('log_startup_progress_interval') AS interval",
)
const open = (connectionString: string) =>
  createDatabase({ connectionString, connections: 2, onIdleError: () => undefined })

async function countSoon(database: Database): Promise<number | undefined> {
  for (let tries = 0; tries < 300; tries += 1) {
    try {
      return (await database.run(count, []))[0]?.count
    } catch {
      await sleep(100)
    }
  }
  return undefined
}

function makeDataDir(): string {
  const dataDir = mkdtempSync(join(temporaryFolder(ROOM_BYTES), 'svc-embedded-'))
  chmodSync(dataDir, 0o711)
  return dataDir
}

describe('the embedded PostgreSQL', () => {
  it('keeps what was committed when it is killed, and starts again by itself', async () => {
    const dataDir = makeDataDir()
    const troubles: string[] = []
    const server = await startEmbeddedPostgres(dataDir, (words) => troubles.push(words))
    const database = open(server.connectionString)
    await database.script('CREATE TABLE things (id int); INSERT INTO things VALUES (1)')
    process.kill(
      Number(readFileSync(join(server.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]),
      'SIGKILL',
    )
    await vi.waitFor(() => {
      expect(troubles).toContain('the embedded PostgreSQL has ended by itself and is started again')
    }, 10_000)
    expect(await countSoon(database)).toBe(1)
    await database.close()
    await server.stop()
    rmSync(dataDir, { recursive: true })
  })

  it('tells that it is ready, and every 10 s how far a recovery is, whatever its settings say', async () => {
    const dataDir = makeDataDir()
    const first = await startEmbeddedPostgres(dataDir, () => undefined)
    await first.stop()
    const silent =
      "logging_collector = on\nlog_destination = 'csvlog'\nlog_min_messages = panic\nlog_startup_progress_interval = 0\n"
    writeFileSync(join(first.cluster, 'postgresql.auto.conf'), silent)
    const second = await startEmbeddedPostgres(dataDir, () => undefined)
    const database = open(second.connectionString)
    expect(await database.run(progressInterval, [])).toEqual([{ interval: '10s' }])
    await database.close()
    await second.stop()
    rmSync(dataDir, { recursive: true })
  })

  it('goes with its data folder when that is moved', async () => {
    const dataDir = makeDataDir()
    const first = await startEmbeddedPostgres(dataDir, () => undefined)
    const database = open(first.connectionString)
    await database.script('CREATE TABLE things (id int)')
    await database.close()
    await first.stop()
    const moved = `${dataDir}-moved`
    renameSync(dataDir, moved)
    const second = await startEmbeddedPostgres(moved, () => undefined)
    expect(runningPostgres(moved)).toBe(second.connectionString)
    const again = open(second.connectionString)
    expect(await countSoon(again)).toBe(0)
    await again.close()
    await second.stop()
    rmSync(moved, { recursive: true })
  })

  it('is refused to a second data folder that names the same cluster, and goes on undisturbed', async () => {
    const dataDir = makeDataDir()
    const server = await startEmbeddedPostgres(dataDir, () => undefined)
    const database = open(server.connectionString)
    const copy = makeDataDir()
    writeFileSync(join(copy, 'postgres-location'), `${server.cluster}\n`)
    await expect(startEmbeddedPostgres(copy, () => undefined)).rejects.toThrow(
      /in use by another service.*SVC_DATA_DIR/,
    )
    expect(await database.run(testStatement('t_one', 'SELECT 1 AS one'), [])).toEqual([{ one: 1 }])
    await database.close()
    await server.stop()
    rmSync(dataDir, { recursive: true })
    rmSync(copy, { recursive: true })
  })

  it('is found through a link to its data folder', async () => {
    const dataDir = makeDataDir()
    const link = `${dataDir}-link`
    symlinkSync(dataDir, link)
    for (const [started, sought] of [
      [dataDir, link],
      [link, dataDir],
    ] as const) {
      const server = await startEmbeddedPostgres(started, () => undefined)
      expect(runningPostgres(sought)).toBe(server.connectionString)
      await server.stop()
    }
    rmSync(link)
    rmSync(dataDir, { recursive: true })
  })

  it('waits for what is left of an earlier server, which it may not see', async () => {
    const dataDir = makeDataDir()
    await (await startEmbeddedPostgres(dataDir, () => undefined)).stop()
    const lock = join(dataDir, 'postgres', 'service-server.lock')
    const left = spawn('flock', [lock, 'sh', '-c', 'echo held; exec cat'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await once(left.stdout, 'data')
    let isStarted = false
    const starting = startEmbeddedPostgres(dataDir, () => undefined).then((server) => {
      isStarted = true
      return server
    })
    await sleep(300)
    expect(isStarted).toBe(false)
    left.stdin.end()
    const server = await starting
    expect(spawnSync('flock', ['-n', lock, 'true']).status).toBe(1)
    await server.stop()
    rmSync(dataDir, { recursive: true })
  })

  it('gets none of our settings: neither its processes nor the programs that they start', async () => {
    vi.stubEnv('SVC_VAULT_KEYS', 'secret-of-the-vault')
    vi.stubEnv('SVC_METRICS_TOKEN', 'secret-of-the-metrics')
    vi.stubEnv('PGPORT', '1')
    const dataDir = makeDataDir()
    const server = await startEmbeddedPostgres(dataDir, () => undefined)
    const pid = readFileSync(join(server.cluster, 'postmaster.pid'), 'utf8').split('\n')[0] ?? ''
    const environments = [pid, ...watchersOf(pid)].map((id) => readFileSync(`/proc/${id}/environ`, 'utf8'))
    expect(environments.length).toBeGreaterThan(1)
    const database = open(server.connectionString)
    await database.script("CREATE TABLE env (line text); COPY env FROM PROGRAM 'env'")
    const lines = await database.run(testStatement<{ line: string }>('t_env', 'SELECT line FROM env'), [])
    const seen = [...lines.map(({ line }) => line), ...environments].join('\n')
    expect(seen).toContain('PATH=')
    expect(seen).not.toMatch(/SVC_|secret-of|PGPORT/)
    await database.close()
    await server.stop()
    vi.unstubAllEnvs()
    rmSync(dataDir, { recursive: true })
  })
})

/** Processes that wait for our end to stop a server. */
function watchersOf(pid: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const command = commandOf(name)
      return command.startsWith('/bin/sh\0') && command.endsWith(`\0${pid}\0`)
    })
}

/** Empty where it has ended since it was listed. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
