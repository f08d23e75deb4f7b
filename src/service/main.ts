import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError, readConfig } from './config.ts'
import type { Config } from './config.ts'
import { lockDataDir } from './platform/database/locks/data-dir-lock.ts'
import { FolderInUse } from './platform/database/locks/folder-lock.ts'
import { CanNotLock } from './platform/database/locks/kernel-lock.ts'
import { startFault } from './start-fault.ts'

const rootDir = join(fileURLToPath(import.meta.url), '..', '..', '..')

/** What was built: SDK releases, those that were released and what was built here, the dashboard, and its preview's script. */
const BUILT = {
  releases: ['releases', 'dist/releases'].map((folder) => join(rootDir, folder)),
  dashboard: join(rootDir, 'dist/dashboard'),
  preview: join(rootDir, 'dist/preview/preview.js'),
}

/** How long stopping may take. */
const MOST_STOP_MS = 30_000

/**
 * Starts the service of this process; what is returned stops it. Settings and the lock of the data folder come before all
 * else is loaded: who may not start is told at once.
 */
async function start(): Promise<() => Promise<void>> {
  const config = readConfig()
  const leaveDataDir = takeDataDir(config)
  const { startService } = await import('./start-service.ts')
  return startService(config, BUILT, leaveDataDir)
}

/** The folder of an embedded database is for one service at a time. With a server of the operator's there is nothing to lock. */
function takeDataDir({ dataDir, databaseUrl }: Config): () => void {
  if (databaseUrl !== undefined) return () => undefined
  try {
    return lockDataDir(dataDir)
  } catch (error) {
    if (error instanceof FolderInUse) throw error
    const words = `SVC_DATA_DIR can not be used: ${error instanceof Error ? error.message : String(error)}`
    throw new ConfigError(
      error instanceof CanNotLock ? `${words}. Put it on a local disk, or set SVC_DATABASE_URL.` : words,
    )
  }
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
