import { join } from 'node:path'
import * as v from 'valibot'
import { readConfig } from '../../src/service/config.ts'
import { readDashboardFiles } from '../../src/service/domains/dashboard/dashboard-files.ts'
import type { DashboardFiles } from '../../src/service/domains/dashboard/dashboard-files.ts'
import { openDatabase } from '../../src/service/open-database.ts'
import type { FindSession } from '../../src/service/platform/http/callers/session.ts'
import { plainContentOf } from '../../src/service/platform/http/answers/content.ts'
import { createLog } from '../../src/service/platform/http/log.ts'
import { composeService } from '../compose-service.ts'
import { SIGNED_IN } from './start-dashboard.ts'

const Asked = v.object({ merchantId: v.string(), userId: v.string() })

const EMPTY_PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Empty</title><h1>Empty</h1></html>'
const emptyFiles: DashboardFiles = {
  document: plainContentOf(Buffer.from(EMPTY_PAGE)),
  link: '',
  assets: new Map(),
  notices: null,
}

/**
 * Runs the dashboard as its own process, and beside it the same server with an empty page in its place. Whoever has the cookie
 * `SIGNED_IN` is signed in as the user of the first argument. Tells its parent both addresses and, when asked, its memory.
 */
async function run(): Promise<void> {
  const { merchantId, userId } = v.parse(Asked, JSON.parse(process.argv[2] ?? ''))
  const user = { id: userId, email: 'ada@shop.example', name: 'Ada' }
  const session = { sessionId: 's', user, merchantId, role: 'owner', freshUntil: null } as const
  const findSession: FindSession = ({ headers }) =>
    Promise.resolve(headers.cookie?.includes(SIGNED_IN) === true ? session : null)
  const config = readConfig()
  const { database } = await openDatabase(
    config.databaseUrl ?? '',
    () => undefined,
    createLog('warn', process.stdout),
  )
  const releaseFolders = [join(process.cwd(), 'dist', 'releases')]
  const listen = async (dashboardFiles: DashboardFiles | null) => {
    const { dashboard } = await composeService({
      config,
      database,
      releaseFolders,
      findSession,
      dashboardFiles,
    })
    return dashboard.app.listen({ port: 0, host: 'localhost' })
  }
  const dashboard = await listen(readDashboardFiles(join(process.cwd(), 'dist', 'dashboard')))
  process.send?.({ dashboard, empty: await listen(emptyFiles) })
  process.on('message', (asked) => {
    if (asked === 'heap') globalThis.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    process.send?.({ rss, heapUsed })
  })
  process.on('disconnect', () => process.exit(0))
}

run().catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})
