import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { locatePostgres, postgresAccount } from './postgres-location.ts'
import { startServer } from './postgres-server.ts'
import { temporaryFolder } from '../../../testing/temporary-folder.ts'

const ROOM_BYTES = 200e6

/** Where a server runs; `stand` puts a shell script in its place. */
function makeBed() {
  const dataDir = mkdtempSync(join(temporaryFolder(ROOM_BYTES), 'svc-server-'))
  chmodSync(dataDir, 0o711)
  const account = postgresAccount()
  const location = locatePostgres(dataDir, account)
  mkdirSync(location.cluster)
  const stand = (script: string) => {
    const programs = join(dataDir, 'programs')
    mkdirSync(join(programs, 'bin'), { recursive: true })
    writeFileSync(join(programs, 'bin', 'postgres'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return { ...location, programs }
  }
  return { dataDir, account, location, stand }
}

describe('the start of a server', () => {
  it('that is killed is not waited for', async () => {
    const { dataDir, account, stand } = makeBed()
    const killed = stand('kill -KILL $$')
    const began = performance.now()
    await expect(startServer(killed, account, dataDir)).rejects.toThrow('did not start')
    expect(performance.now() - began).toBeLessThan(5000)
    rmSync(dataDir, { recursive: true })
  })

  it('that cannot be started says so, and the service lives on', async () => {
    const { dataDir, account, location } = makeBed()
    const nowhere = { ...location, programs: join(dataDir, 'nowhere') }
    await expect(startServer(nowhere, account, dataDir)).rejects.toThrow(/did not start.*ENOENT/)
    rmSync(dataDir, { recursive: true })
  })

  it('is waited for as long as it says how far its recovery is', async () => {
    const { dataDir, account, stand } = makeBed()
    const recovering = stand(`
      for i in 1 2 3 4 5 6; do echo "LOG:  redo in progress, elapsed time: \${i}0.00 s" >&2; sleep 0.5; done
      echo 'LOG:  database system is ready to accept connections' >&2
      sleep 2`)
    const began = performance.now()
    await startServer(recovering, account, dataDir, 1500)
    expect(performance.now() - began).toBeGreaterThan(2500)
    rmSync(dataDir, { recursive: true })
  })

  it('is given up once it says no more of it, however many it refuses', async () => {
    const { dataDir, account, stand } = makeBed()
    const stuck = stand(`
      echo 'LOG:  syncing data directory, elapsed time: 10.00 s' >&2
      for i in 1 2 3 4 5 6 7 8 9 10; do echo 'FATAL:  the database system is starting up' >&2; sleep 0.5; done
      echo 'LOG:  database system is ready to accept connections' >&2`)
    await expect(startServer(stuck, account, dataDir, 1500)).rejects.toThrow('did not start')
    rmSync(dataDir, { recursive: true })
  })
})
