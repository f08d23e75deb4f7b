import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { postgresAccount } from './postgres-account.ts'
import { makeCluster } from './postgres-cluster.ts'
import { locatePostgres } from './postgres-location.ts'
import { startServer } from './postgres-server.ts'

async function makeBed() {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-server-'))
  chmodSync(dataDir, 0o711)
  const account = postgresAccount()
  const location = locatePostgres(dataDir, account)
  await makeCluster(location, account)
  return { dataDir, account, location }
}

describe('the start of a server', () => {
  it('that is killed is not waited for', async () => {
    const { dataDir, account, location } = await makeBed()
    const programs = join(dataDir, 'programs')
    mkdirSync(join(programs, 'bin'), { recursive: true })
    writeFileSync(join(programs, 'bin', 'postgres'), '#!/bin/sh\nkill -KILL $$\n', { mode: 0o755 })
    const began = performance.now()
    await expect(startServer({ ...location, programs }, account, dataDir)).rejects.toThrow('did not start')
    expect(performance.now() - began).toBeLessThan(5000)
    rmSync(dataDir, { recursive: true })
  })

  it('that can not be started says so, and the service lives on', async () => {
    const { dataDir, account, location } = await makeBed()
    const nowhere = { ...location, programs: join(dataDir, 'nowhere') }
    await expect(startServer(nowhere, account, dataDir)).rejects.toThrow(/did not start.*ENOENT/)
    rmSync(dataDir, { recursive: true })
  })
})
