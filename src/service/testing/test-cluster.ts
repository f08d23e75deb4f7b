import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'
import { refuseCardTraces } from './card-traces.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server on which each test file makes a database of its own. */
    connectionString: string
  }
}

/**
 * One PostgreSQL for a whole run of service tests: the same as in production. Afterwards its files, tables and journal,
 * may hold no test card, and are thrown away.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-'))
  chmodSync(dataDir, 0o711)
  const server = await startEmbeddedPostgres(dataDir, (words) => process.stderr.write(words))
  project.provide('connectionString', server.connectionString)
  return async () => {
    await server.stop()
    try {
      refuseCardTraces(dataDir)
    } catch (error) {
      // What is thrown here is shown, and by itself fails no run.
      process.exitCode = 1
      throw error
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
}
