import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/service/platform/database/embedded/embedded-postgres.ts'
import { ask } from './ask.ts'
import { benchExport } from './export.ts'
import { fill } from './filling/fill.ts'
import type { Filled } from './filling/fill.ts'
import { benchFirstLoad } from './first-load.ts'
import { knownOf } from './known.ts'
import { allQuestions } from './other-questions.ts'
import { openReading } from './reading.ts'
import { startDashboard } from './start-dashboard.ts'

type Say = (line: string) => void

/**
 * The dashboard where there are many charges: what its pages read, the export of all charges, and how it loads in a
 * browser. All share the machine and the embedded PostgreSQL (fsync on).
 */
export async function benchDashboard(say: Say, parameters: string[]): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { charges: { type: 'string', default: '1000000' } },
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  chmodSync(dataDir, 0o711)
  const server = await startEmbeddedPostgres(dataDir, say)
  const { connectionString } = server
  try {
    const filled = await benchReads(connectionString, Number(values.charges), say)
    await benchPages({ dataDir, connectionString, ...filled }, say)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  }
}

/** Fills the database, then reads as the pages do. */
async function benchReads(connectionString: string, charges: number, say: Say): Promise<Filled> {
  const reading = await openReading(connectionString)
  const filled = await fill(reading, charges, say)
  const known = await knownOf(reading.client, filled)
  say(`load of the machine ${loadavg()[0]?.toFixed(1) ?? ''}\n`)
  const { app } = reading.service.dashboard
  await ask({ app, session: reading.session, ...filled }, allQuestions(known), say)
  await reading.close()
  return filled
}

/** The dashboard as a process of its own: the export of all charges, and the first load in a browser. */
async function benchPages(
  { dataDir, connectionString, merchantId, userId }: Filled & { dataDir: string; connectionString: string },
  say: Say,
): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const dashboard = await startDashboard({
    dataDir,
    databaseUrl: connectionString,
    session: { merchantId, userId },
  })
  await benchExport(dashboard, client, say)
  await benchFirstLoad(dashboard, say)
  await dashboard.stop()
  await client.end()
}
