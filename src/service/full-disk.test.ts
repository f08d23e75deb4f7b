import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { describe, expect, it, vi } from 'vitest'
import type { Database } from './platform/database/database.ts'
import { openDatabase } from './open-database.ts'
import { startEmbeddedPostgres } from './platform/database/embedded/embedded-postgres.ts'
import { startFault } from './run-service.ts'
import { testStatement } from './testing/test-statement.ts'

/** A disk of its own, small enough to be filled; null where this account may mount none. */
function smallDisk(megabytes: number): string | null {
  const disk = mkdtempSync(join(tmpdir(), 'svc-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'svc-test', disk], {
      stdio: 'ignore',
    })
    return disk
  } catch {
    rmSync(disk, { recursive: true })
    return null
  }
}

function unmount(disk: string): void {
  execFileSync('umount', [disk])
  rmSync(disk, { recursive: true })
}

function fill(disk: string): void {
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize))
}

const log = pino({ level: 'silent' })

/** Opens the database of a data folder; the second function closes what was opened. */
async function open(dataDir: string): Promise<[Database, () => Promise<void>]> {
  const releases: (() => Promise<void>)[] = []
  const close = async () => {
    for (const release of releases.reverse()) await release()
  }
  try {
    const start = (onTrouble: (words: string) => void) => startEmbeddedPostgres(dataDir, onTrouble)
    const { database } = await openDatabase(start, (release) => releases.push(release), log)
    return [database, close]
  } catch (error) {
    await close()
    throw error
  }
}

const disk = smallDisk(160)
const tiny = smallDisk(8)

describe.skipIf(disk === null || tiny === null)('a full disk (tried where a disk can be mounted)', () => {
  it(
    'is told by the health check from the first refused write on, until there is room again',
    { timeout: 180_000 },
    async () => {
      if (disk === null) return
      const [database, close] = await open(disk)
      const write = testStatement(
        't_fill',
        `INSERT INTO t SELECT repeat(md5(i::text), 60) FROM generate_series(1, 9000) i`,
      )
      await database.script('CREATE TABLE t (filler text)')
      await database.check()
      fill(disk)
      await expect(database.run(write, [])).rejects.toMatchObject({ code: 'service_unavailable' })
      await expect(database.check()).rejects.toThrow('takes no writes')
      await vi
        .waitFor(() => database.check(), { timeout: 4000 })
        .then(
          () => expect.fail('the health check believes in a full disk'),
          () => undefined,
        )
      rmSync(join(disk, 'filler'))
      await vi.waitFor(() => database.check(), { timeout: 10_000, interval: 100 })
      await close()
      fill(disk)
      const fault: unknown = await open(disk).then(
        ([, close]) => close(),
        (error: unknown) => error,
      )
      expect(startFault(fault)).toMatch(/^[^\n]*No space left on device[^\n]*$/i)
      unmount(disk)
    },
  )

  it('at the first start is told in one line', async () => {
    if (tiny === null) return
    const fault: unknown = await open(tiny).catch((error: unknown) => error)
    expect(startFault(fault)).toMatch(/^[^\n]*No space left on device[^\n]*$/i)
    unmount(tiny)
  })
})
