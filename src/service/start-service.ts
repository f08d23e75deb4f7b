import { existsSync, readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { compose } from './compose.ts'
import type { Service } from './compose.ts'
import { ConfigError } from './platform/errors.ts'
import type { Config } from './config.ts'
import { makeDemo } from './make-demo.ts'
import { readDashboardFiles } from './domains/dashboard/dashboard-files.ts'
import { readReleases } from './domains/sdk-releases/read-releases.ts'
import { openDatabase } from './open-database.ts'
import type { DatabaseSource } from './open-database.ts'
import { monotonicClock } from './platform/clocks.ts'
import { startDatabaseClock } from './platform/database/database-clock.ts'
import { startJobs } from './platform/jobs/job.ts'
import { startMaintenance } from './platform/maintenance.ts'
import { openTracing } from './platform/open-tracing.ts'
import { checkMasterKeys } from './platform/vault/check-master-keys.ts'
import { masterKeySource } from './platform/vault/key-stores/open-master-keys.ts'
import { holderOfPort } from './processes/port-holder.ts'
import { openProcessLog } from './processes/process-log.ts'
import { warnAtStart } from './warn-at-start.ts'
import { allWrappedKeys } from './key-tables.ts'

/** How long requests that are under way may take when the service is asked to stop. */
const GRACE_MS = 10_000

/** What was built: SDK releases in these folders, the dashboard in that one, and the script of its preview. */
export interface BuiltFolders {
  releases: readonly string[]
  dashboard: string
  preview: string
}

/** A service that listens. */
export interface RunningService {
  /**
   * Lets `/health` say that this process is about to stop, and goes on serving for as long as load balancers need to notice,
   * or until `hurry` is aborted.
   */
  drain: (hurry: AbortSignal) => Promise<void>
  /** Takes no more connections, and waits for the requests that are under way. */
  stop: () => Promise<void>
}

interface Start {
  config: Config
  source: DatabaseSource
  built: BuiltFolders
  /** Called at last when it stops, also where the start fails. */
  leaveDataDir: () => void
  /** Whether it brings the schema up to date, or only requires that it is. */
  migrates: boolean
  /** Which of several processes this is, that share their ports. */
  processNumber: number | undefined
}

/** Starts the service; resolves once it listens. */
export async function startService(start: Start): Promise<RunningService> {
  const { config, built, processNumber } = start
  const cleanups: (() => unknown)[] = [start.leaveDataDir]
  const stop = () => cleanUpAll(cleanups.splice(0).reverse())
  try {
    const { log, droppedLines } = openProcessLog(config.logLevel, processNumber)
    const masterKeysOf = masterKeySource(config)
    const sdkReleases = readReleases(built.releases)
    const keep = (cleanUp: () => Promise<void>) => cleanups.push(cleanUp)
    const { database, place } = await openDatabase(start.source, keep, log, start.migrates)
    log.info({ database: place }, 'database is ready')
    if (processNumber === undefined) warnAtStart(config, log)
    const masterKeys = await masterKeysOf()
    const isSandbox = config.environment === 'sandbox'
    const places = allWrappedKeys(database)
    const warn = (words: string) => log.warn(words)
    const secretsFor = await checkMasterKeys({ database, keys: masterKeys, places, isSandbox, warn })
    const timeOfDay = await startDatabaseClock(database, monotonicClock, (ms) => tellStep(log, ms))
    const clock = monotonicClock
    const version = __SVC_VERSION__
    const tracing = await openTracing(config.tracing, { version, log, clock, timeOfDay })
    cleanups.push(tracing.stop)
    const service = compose({
      config,
      version,
      processNumber,
      releases: sdkReleases,
      dashboardFiles: readDashboardFiles(built.dashboard),
      previewScript: existsSync(built.preview) ? readFileSync(built.preview, 'utf8') : null,
      database,
      masterKeys,
      secretsFor,
      log,
      droppedLines,
      clock,
      timeOfDay,
      maintenance: await startMaintenance(database),
      tracer: tracing.tracer,
    })
    if (isSandbox) await makeDemo(service, config, log)
    const running = startJobs(service.jobs, log)
    const { app, dashboard, bank } = service
    cleanups.push(() => {
      log.info('closing: requests under way are answered, and no new ones are taken')
      const apps = [app, dashboard.app, ...(bank === null ? [] : [bank])]
      return Promise.all([...apps.map(closeInTime), ...running.map((job) => job.stop())])
    })
    await listenAll(service, config)
    const urls = { url: config.baseUrl, dashboard: dashboardUrlOf(config), bank: config.sandboxBankUrl }
    log.info(urls, 'service is ready')
    process.send?.('ready')
    return { drain: (hurry) => drain(service, config.drainSeconds, log, hurry), stop }
  } catch (error) {
    // The reason for the failed start matters more than faults of the cleanup.
    await stop().catch(() => undefined)
    throw error
  }
}

function tellStep(log: Logger, ms: number): void {
  const words = "the database's clock has stepped: what ends by time waits 10 minutes"
  log.warn({ ms: Math.round(ms) }, words)
}

/** Null where it is not served. */
function dashboardUrlOf({ dashboardPort, dashboardUrl }: Config): string | null {
  return dashboardPort === null ? null : dashboardUrl
}

/** One after the other, each also when one before it failed; rejects with the first fault. */
async function cleanUpAll(cleanups: readonly (() => unknown)[]): Promise<void> {
  const faults: unknown[] = []
  for (const cleanUp of cleanups) {
    try {
      await cleanUp()
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw faults[0]
}

/** Requests that are under way are answered; a client that is too slow for that is left. */
async function closeInTime(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), GRACE_MS)
  await app.close()
  clearTimeout(timer)
}

async function drain(
  { announceStop }: Service,
  seconds: number,
  log: Logger,
  hurry: AbortSignal,
): Promise<void> {
  announceStop()
  if (seconds === 0) return
  log.info({ seconds }, 'draining: /health says so, and requests are still taken')
  await sleep(seconds * 1000, undefined, { signal: hurry }).catch(() => undefined)
}

async function listenAll({ app, dashboard, bank }: Service, config: Config): Promise<void> {
  const host = config.host ?? anyAddress()
  await listen(app, { host, port: config.port }, 'SVC_PORT')
  if (config.dashboardPort !== null)
    await listen(dashboard.app, { host, port: config.dashboardPort }, 'SVC_DASHBOARD_PORT')
  if (bank !== null && config.sandboxBankPort !== null)
    await listen(bank, { host, port: config.sandboxBankPort }, 'SVC_SANDBOX_BANK_PORT')
}

/** `setting`: the setting that changes a port that is taken. */
async function listen(
  app: FastifyInstance,
  place: { host: string; port: number },
  setting: string,
): Promise<void> {
  try {
    await app.listen(place)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EADDRINUSE') {
      const holder = holderOfPort(place.port)
      const by = holder === null ? '' : ` by ${holder}`
      throw new ConfigError(
        `port ${place.port} is in use${by}: stop what listens there, or give ${setting} another port`,
      )
    }
    if (code === 'EACCES')
      throw new ConfigError(
        `${setting}: this account may not listen at port ${place.port}, give it one from 1024 on`,
      )
    if (code === 'EADDRNOTAVAIL') throw new ConfigError(`SVC_HOST: this machine has no address ${place.host}`)
    throw error
  }
}

/** Every address of this machine: by IPv6, which takes IPv4 too, where there is IPv6. */
function anyAddress(): string {
  const addresses = Object.values(networkInterfaces()).flat()
  return addresses.some((address) => address?.family === 'IPv6') ? '::' : '0.0.0.0'
}
