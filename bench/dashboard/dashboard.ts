import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readConfig } from '../../src/service/config.ts'
import { startEmbeddedPostgres } from '../../src/service/platform/database/embedded/embedded-postgres.ts'
import { createDatabase } from '../../src/service/platform/database/database.ts'
import { migrate } from '../../src/service/platform/database/migrate.ts'
import { migrations } from '../../src/service/platform/database/migrations.ts'
import { composeService } from '../compose-service.ts'
import { ask } from './ask.ts'
import { benchExport } from './export.ts'
import { fill } from './fill.ts'
import type { Filled } from './fill.ts'
import { benchFirstLoad } from './first-load.ts'
import { benchIndexCost } from './index-cost.ts'
import { knownOf } from './known.ts'
import { otherQuestions } from './other-questions.ts'
import { chargeQuestions, overviewQuestions } from './questions.ts'
import { startDashboard } from './start-dashboard.ts'

type Say = (line: string) => void

/** The dashboard's pool is the service's. */
const CONNECTIONS = 20

/**
 * The dashboard where there are many charges: what its pages read, the export of all charges, how it loads in a browser, and what its
 * indexes cost whoever takes money. All share the machine and the embedded PostgreSQL (fsync on).
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
    await benchIndexCost({ dataDir, connectionString, merchantId: filled.merchantId }, say)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  }
}

/** Fills the database, then reads as the pages do. */
async function benchReads(connectionString: string, charges: number, say: Say): Promise<Filled> {
  const database = createDatabase({
    connectionString,
    connections: CONNECTIONS,
    onIdleError: () => undefined,
  })
  const client = new pg.Client({ connectionString })
  await client.connect()
  await migrate(database, migrations)
  const session = { merchantId: '' }
  const user = { id: 'u', email: 'ada@shop.example', name: 'Ada' }
  const service = await composeService({
    config: readConfig({}),
    database,
    releaseFolders: [join(process.cwd(), 'dist', 'releases')],
    findSession: () => Promise.resolve({ sessionId: 's', user, ...session, role: 'owner', freshUntil: null }),
  })
  const filled = await fill({ client, service, session }, charges, say)
  const known = await knownOf(client, filled)
  say(`load of the machine ${loadavg()[0]?.toFixed(1) ?? ''}\n`)
  const questions = { ...chargeQuestions(known), ...overviewQuestions(known), ...otherQuestions(known) }
  await ask({ app: service.dashboard.app, session, ...filled }, questions, say)
  await service.app.close()
  await service.dashboard.app.close()
  await client.end()
  await database.close()
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
