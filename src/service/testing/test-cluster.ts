import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createDatabase } from '../platform/database/database.ts'
import { startEmbeddedPostgres } from '../platform/database/embedded/embedded-postgres.ts'
import { refuseTraces } from './traces.ts'
import { makeMigratedDatabase } from './migrated-database.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { testStatement } from './test-statement.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server on which each test file makes a database of its own. */
    connectionString: string
  }
}

/** The databases of a whole run take less than half of it. */
const ROOM_BYTES = 8e9

/**
 * One PostgreSQL for a whole run of service tests: the same as in production, except that it does not wait for the disk.
 * Afterwards its files (tables and write-ahead log) are searched for test cards, must contain none, and are deleted.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(temporaryFolder(ROOM_BYTES), 'svc-test-'))
  chmodSync(dataDir, 0o711)
  const server = await startEmbeddedPostgres(dataDir, (words) => process.stderr.write(words))
  await waitForNoDisk(server.connectionString)
  await makeMigratedDatabase(server.connectionString)
  project.provide('connectionString', server.connectionString)
  return async () => {
    await server.stop()
    try {
      refuseTraces(dataDir)
    } catch (error) {
      // An error that is thrown here is shown, but does not fail the run by itself.
      process.exitCode = 1
      throw error
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** No test here depends on what survives a power failure; `proofs/crash.ts` kills a server that does wait for its disk. */
async function waitForNoDisk(connectionString: string): Promise<void> {
  const admin = createDatabase({ connectionString, connections: 1, onIdleError: () => undefined })
  await admin.run(testStatement('test_fsync', 'ALTER SYSTEM SET fsync = off'), [])
  await admin.run(testStatement('test_reload', 'SELECT pg_reload_conf()'), [])
  await admin.close()
}
