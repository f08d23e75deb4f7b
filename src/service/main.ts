import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { monotonicClock } from './platform/clocks.ts'
import { compose } from './compose.ts'
import { ConfigError, readConfig } from './config.ts'
import { startDatabaseClock } from './platform/database/database-clock.ts'
import type { Config } from './config.ts'
import { lockDataDir } from './platform/database/locks/data-dir-lock.ts'
import { FolderInUse } from './platform/database/locks/folder-lock.ts'
import { CanNotLock } from './platform/database/locks/kernel-lock.ts'
import { createLog } from './platform/http/log.ts'
import { repeat } from './platform/jobs/repeat.ts'
import { makeDemoMerchant } from './domains/merchants/demo-merchant.ts'
import { openDatabase } from './open-database.ts'
import { readReleases } from './domains/sdk-releases/read-releases.ts'
import { startFault } from './start-fault.ts'
import { checkMasterKeys } from './platform/vault/check-master-keys.ts'
import { masterKeySource } from './platform/vault/key-stores/open-master-keys.ts'
import { allWrappedKeys } from './wrapped-keys.ts'

const rootDir = join(fileURLToPath(import.meta.url), '..', '..', '..')

/** Where SDK releases are: those that were released, and what was built here. */
const RELEASES = ['releases', 'dist/releases'].map((folder) => join(rootDir, folder))

/** How long requests that are under way may take when the service is asked to stop, and how long stopping may. */
const GRACE_MS = 10_000
const MOST_STOP_MS = 30_000

/** Starts the service of this process; what is returned stops it after the requests that are under way. */
async function start(): Promise<() => Promise<void>> {
  const config = readConfig()
  const log = createLog(config.logLevel)
  const masterKeysOf = masterKeySource(config)
  const cleanups: (() => unknown)[] = [takeDataDir(config)]
  const stop = () => cleanUpAll(cleanups.splice(0).reverse())
  try {
    const sdkReleases = readReleases(RELEASES)
    const { database, place } = await openDatabase(config, (cleanUp) => cleanups.push(cleanUp), log)
    log.info({ database: place }, 'database is ready')
    if (config.environment === 'staging_svc' || config.environment === 'preproduction_svc')
      log.warn('the sandbox gateway is open here: what is charged through it moves no money')
    const masterKeys = await masterKeysOf()
    const isSandbox = config.environment === 'sandbox'
    const places = allWrappedKeys(database)
    const warn = (words: string) => log.warn(words)
    const secretsFor = await checkMasterKeys({ database, keys: masterKeys, places, isSandbox, warn })
    const timeOfDay = await startDatabaseClock(database, monotonicClock, (ms) =>
      log.warn(
        { ms: Math.round(ms) },
        "the database's clock has stepped: what ends by time waits 10 minutes",
      ),
    )
    const service = compose({
      config,
      version: __SVC_VERSION__,
      releases: sdkReleases,
      database,
      masterKeys,
      secretsFor,
      log,
      clock: monotonicClock,
      timeOfDay,
    })
    if (isSandbox) {
      const urls = { service_url: config.baseUrl, shop_url: `http://localhost:${String(config.demoPort)}` }
      await makeDemoMerchant({ merchants: service.merchants, dataDir: config.dataDir, urls })
    }
    const running = service.jobs.map((job) =>
      repeat(job, (error) => log.error({ err: error, job: job.name }, 'a background job failed')),
    )
    cleanups.push(() => Promise.all([closeInTime(service.app), ...running.map((job) => job.stop())]))
    await listen(service.app, config.port)
    log.info({ url: config.baseUrl }, 'service is ready')
    process.send?.('ready')
    return stop
  } catch (error) {
    // Why there is no service counts for more than what went wrong while it was cleaned up.
    await stop().catch(() => undefined)
    throw error
  }
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

/** With a server of the operator's, the data folder holds nothing that a second service could damage. */
function takeDataDir({ dataDir, databaseUrl }: Config): () => void {
  try {
    return lockDataDir(dataDir)
  } catch (error) {
    if (error instanceof FolderInUse) throw error
    const words = `SVC_DATA_DIR can not be used: ${error instanceof Error ? error.message : String(error)}`
    if (!(error instanceof CanNotLock)) throw new ConfigError(words)
    if (databaseUrl !== undefined) return () => undefined
    throw new ConfigError(`${words}. Put it on a local disk, or set SVC_DATABASE_URL.`)
  }
}

/** Requests that are under way are answered; a client that is too slow for that is left. */
async function closeInTime(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), GRACE_MS)
  await app.close()
  clearTimeout(timer)
}

async function listen(app: FastifyInstance, port: number): Promise<void> {
  try {
    await app.listen({ port, host: anyAddress() })
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    throw isTaken ? new ConfigError(`port ${port} is in use: give SVC_PORT another one`) : error
  }
}

/** Every address of this machine: by IPv6, which takes IPv4 too, where there is IPv6. */
function anyAddress(): string {
  const addresses = Object.values(networkInterfaces()).flat()
  return addresses.some((address) => address?.family === 'IPv6') ? '::' : '0.0.0.0'
}

/** Ctrl-C, SIGTERM, or the end of the process that started this one and holds a channel to it. */
function stopWhenAsked(stop: () => Promise<void>): void {
  let stopping: Promise<void> | undefined
  const leave = () => {
    stopping ??= stop().then(() => process.exit(0), endWith)
    setTimeout(() => endWith(new Error('stopping took too long')), MOST_STOP_MS).unref()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, leave)
  process.on('disconnect', leave)
}

/** Says why there is no service, in one line where the reason is foreseen. */
function endWith(error: unknown): void {
  process.stderr.write(`svc: ${startFault(error)}\n`)
  process.exit(1)
}

const started = start()
// From the beginning on: the first process of a container hears of no signal that it does not ask for.
stopWhenAsked(async () => (await started)())
started.catch(endWith)
