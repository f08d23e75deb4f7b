import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { createDatabase, statement } from './database.ts'
import type { Database } from './database.ts'
import { runningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

const count = statement<{ count: number }>('t_count', 'SELECT count(*) AS count FROM things')
const open = (connectionString: string) =>
  createDatabase({ connectionString, connections: 2, onIdleError: () => undefined })

async function countSoon(database: Database): Promise<number | undefined> {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      return (await database.run(count, []))[0]?.count
    } catch {
      await sleep(100)
    }
  }
  return undefined
}

function makeDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-embedded-'))
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
})
