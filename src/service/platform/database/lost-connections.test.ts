import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { testStatement } from '../../testing/test-statement.ts'
import { describe, expect, it, vi } from 'vitest'
import { createDatabase } from './database.ts'
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'

const ROOM_BYTES = 200e6

const nap = testStatement('t_nap', 'SELECT pg_sleep(0.05)')

/** A server, and several idle connections to it; `lost` has the SQLSTATE of each that was reported as lost. */
async function makeBed() {
  const dataDir = mkdtempSync(join(temporaryFolder(ROOM_BYTES), 'svc-lost-'))
  chmodSync(dataDir, 0o711)
  const server = await startEmbeddedPostgres(dataDir, () => undefined)
  const lost: unknown[] = []
  const { connectionString } = server
  const onIdleError = (error: Error) => lost.push(Reflect.get(error, 'code'))
  const database = createDatabase({ connectionString, connections: 20, onIdleError })
  await Promise.all(Array.from({ length: 20 }, () => database.run(nap, [])))
  return { server, database, lost, remove: () => rmSync(dataDir, { recursive: true }) }
}

describe('connections to a server that stops', () => {
  it('are not told of as lost when they were closed before', async () => {
    const { server, database, lost, remove } = await makeBed()
    await database.close()
    await server.stop()
    expect(lost).toEqual([])
    remove()
  })

  it('are told of as lost, each of them, when they were open', async () => {
    const { server, database, lost, remove } = await makeBed()
    await server.stop()
    await vi.waitFor(() => {
      expect(lost).toEqual(Array.from({ length: 20 }, () => '57P01'))
    })
    await database.close()
    remove()
  })
})
