import cluster from 'node:cluster'
import { join } from 'node:path'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'
import { withoutSensitive } from './platform/secrets/sensitive-text.ts'
import { ConfigError, readConfig } from './config.ts'
import type { Config } from './config.ts'
import { installedPrograms } from './platform/database/embedded/postgres-location.ts'
import { lockDataDir } from './platform/database/locks/data-dir-lock.ts'
import { FolderInUse } from './platform/database/locks/folder-lock.ts'
import { CannotLock } from './platform/database/locks/kernel-lock.ts'
import { isOpenToDebuggers } from './processes/keep-private.ts'
import { createLineOutput } from './processes/line-output.ts'
import { stopWhenAsked } from './processes/stop-when-asked.ts'
import { startFault } from './start-fault.ts'
import type { BuiltFolders, RunningService } from './start-service.ts'

interface Run {
  /** The URL of this program in `dist/service`, beside which the rest of what was built is found. */
  program: string
  /** Whether it brings the schema up to date before it serves; else it refuses one that is not. */
  migrates: boolean
}

/** Runs the service until it is asked to stop, or until it fails, which is said on standard error; then the process ends. */
export function runService(run: Run): void {
  // Node would wait for standard error to be read, before it ends.
  process.on('uncaughtException', endWith)
  const started = start(run)
  // Set up from the start: as a container's first process we get no signal that we do not listen for.
  stopWhenAsked({
    self: process,
    isWorker: cluster.isWorker,
    hasTerminal: isatty(0),
    started,
    exit: (fault) => (fault === undefined ? process.exit(0) : endWith(fault)),
  })
  started.catch(endWith)
}

/** What was built: SDK releases, those that were released and what was built here, the dashboard, and its preview's script. */
function builtBeside(program: string): BuiltFolders {
  const rootDir = join(fileURLToPath(program), '..', '..', '..')
  return {
    releases: ['releases', 'dist/releases'].map((folder) => join(rootDir, folder)),
    dashboard: join(rootDir, 'dist/dashboard'),
    preview: join(rootDir, 'dist/preview/preview.js'),
  }
}

/**
 * Starts the service in this process, or in several that this one supervises. Settings and the lock of the data folder are checked
 * before anything else is loaded, so that a refusal comes at once.
 */
async function start({ program, migrates }: Run): Promise<RunningService> {
  const config = readConfig()
  if (config.environment === 'production_svc' && isOpenToDebuggers())
    throw new ConfigError(
      "Node's inspector is open: who reaches it reads cards and keys. Start without --inspect.",
    )
  const leaveDataDir = takeDataDir(config)
  if (config.processes > 1) {
    const { startProcesses } = await import('./processes/start-processes.ts')
    return startProcesses(config, leaveDataDir)
  }
  const { startService } = await import('./start-service.ts')
  const processNumber = cluster.worker?.id
  return startService(config, builtBeside(program), leaveDataDir, { migrates, processNumber })
}

/** The folder of an embedded database is for one service at a time. With a server of the operator's there is nothing to lock. */
function takeDataDir({ dataDir, databaseUrl }: Config): () => void {
  if (databaseUrl !== undefined) return () => undefined
  installedPrograms()
  try {
    return lockDataDir(dataDir)
  } catch (error) {
    if (error instanceof FolderInUse) throw error
    const words = `SVC_DATA_DIR cannot be used: ${error instanceof Error ? error.message : String(error)}`
    throw new ConfigError(
      error instanceof CannotLock ? `${words}. Put it on a local disk, or set SVC_DATABASE_URL.` : words,
    )
  }
}

/** Says why there is no service, in one line where the reason is foreseen. */
function endWith(error: unknown): void {
  const complaints = createLineOutput(2, { gapLine: () => '' })
  complaints.write(`svc: ${withoutSensitive(startFault(error))}\n`)
  complaints.flushSync()
  process.exit(1)
}
