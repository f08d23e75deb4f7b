import { compose } from '../src/service/compose.ts'
import type { Service } from '../src/service/compose.ts'
import type { Config } from '../src/service/config.ts'
import type { DashboardFiles } from '../src/service/domains/dashboard/dashboard-files.ts'
import type { Gateway } from '../src/service/domains/gateways/gateway.ts'
import { readReleases } from '../src/service/domains/sdk-releases/read-releases.ts'
import { monotonicClock } from '../src/service/platform/clocks.ts'
import { startDatabaseClock } from '../src/service/platform/database/database-clock.ts'
import type { Database } from '../src/service/platform/database/database.ts'
import type { FindSession } from '../src/service/platform/http/callers/session.ts'
import { createLog } from '../src/service/platform/http/log.ts'
import { startMaintenance } from '../src/service/platform/maintenance.ts'
import { createLocalKeyStore } from '../src/service/platform/vault/key-stores/local-key-store.ts'
import { joinKeyStores } from '../src/service/platform/vault/key-stores/master-keys.ts'
import { openServiceSecrets } from '../src/service/platform/vault/service-secrets.ts'

/** The same key for every process, as several of them may use one database. */
const MASTER_KEY = Buffer.alloc(32, 'bench').toString('base64')

interface Parts {
  config: Config
  /** With an up-to-date schema. */
  database: Database
  releaseFolders: string[]
  findSession: FindSession
  dashboardFiles?: DashboardFiles | null
  gateways?: Record<string, Gateway>
}

/** The service in this process; no background job runs by itself. */
export async function composeService({ database, releaseFolders, ...parts }: Parts): Promise<Service> {
  const masterKeys = joinKeyStores([createLocalKeyStore(`bench:${MASTER_KEY}`)])
  return compose({
    dashboardFiles: null,
    ...parts,
    version: '0.0.0',
    releases: readReleases(releaseFolders),
    previewScript: null,
    database,
    masterKeys,
    secretsFor: await openServiceSecrets(database, masterKeys),
    log: createLog('warn', process.stdout),
    droppedLines: () => 0,
    clock: monotonicClock,
    timeOfDay: await startDatabaseClock(database, monotonicClock),
    maintenance: await startMaintenance(database),
    tracer: null,
  })
}
