import cluster from 'node:cluster'
import { join } from 'node:path'
import { isatty } from 'node:tty'
import { withoutSensitive } from './platform/secrets/secret-in-text.ts'
import { findArgon2, NoArgon2 } from './domains/users/argon2.ts'
import { ConfigError, ServiceError } from './platform/errors.ts'
import { readConfig } from './config.ts'
import type { Config } from './config.ts'
import { isOpenToDebuggers, keepPrivate } from './processes/keep-private.ts'
import { createLineOutput } from './processes/line-output.ts'
import { stopWhenAsked } from './processes/stop-when-asked.ts'
import { DatabaseFault } from './platform/database/faults.ts'
import { CannotLock, FolderInUse } from './platform/database/embedded/folder-lock.ts'
import { NotAFolder } from './platform/make-folder.ts'
import { ProcessFault } from './processes/process-group.ts'
import { ReleaseFault } from './domains/sdk-releases/read-releases.ts'
import type { DatabaseSource, OwnDatabase } from './open-database.ts'
import type { RunningService } from './start-service.ts'

const NO_DATABASE =
  'SVC_DATABASE_URL must be set, as postgres://user:password@host:5432/database. A PostgreSQL for trials comes with npm start, in sandbox alone.'

interface Run {
  /** The folder that holds `dist` and `releases`. */
  rootDir: string
  /** A PostgreSQL that the service may start itself, in sandbox and without `SVC_DATABASE_URL`; null: none. */
  ownDatabase: OwnDatabase | null
  /** Whether it brings the schema up to date before it serves; else it refuses one that is not. */
  migrates: boolean
}

/**
 * Runs the service in this process, or in several that this one supervises, until it is asked to stop; then this process ends. Where it
 * can't run, one line says why.
 */
export function runService(run: Run): void {
  keepPrivate()
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

/** Settings and the lock of the data folder are checked before anything else is loaded, so that a refusal comes at once. */
async function start({ rootDir, ownDatabase, migrates }: Run): Promise<RunningService> {
  const config = readConfig()
  if (config.environment === 'production_svc' && isOpenToDebuggers())
    throw new ConfigError(
      "Node's inspector is open: who reaches it reads cards and keys. Start without --inspect.",
    )
  await findArgon2()
  const { source, leaveDataDir } = databaseOf(config, ownDatabase)
  if (config.processes > 1) {
    const { startProcesses } = await import('./processes/start-processes.ts')
    return startProcesses(config, source, leaveDataDir)
  }
  const { startService } = await import('./start-service.ts')
  return startService({
    config,
    source,
    built: builtIn(rootDir),
    leaveDataDir,
    migrates,
    processNumber: cluster.worker?.id,
  })
}

/** The operator's server, with which there is nothing to lock, or one of the service's own, in a folder that is taken here. */
function databaseOf(
  { databaseUrl, environment, dataDir }: Config,
  own: OwnDatabase | null,
): { source: DatabaseSource; leaveDataDir: () => void } {
  if (databaseUrl !== undefined) return { source: databaseUrl, leaveDataDir: () => undefined }
  if (own === null || environment !== 'sandbox') throw new ConfigError(NO_DATABASE)
  const leaveDataDir = own.takeFolder(dataDir)
  return { source: (onTrouble) => own.start(dataDir, onTrouble), leaveDataDir }
}

/** What was built: SDK releases, those that were released and what was built here, the dashboard, and its preview's script. */
function builtIn(rootDir: string) {
  return {
    releases: ['releases', 'dist/releases'].map((folder) => join(rootDir, folder)),
    dashboard: join(rootDir, 'dist/dashboard'),
    preview: join(rootDir, 'dist/preview/preview.js'),
  }
}

/** Says why there is no service, in one line where the reason is foreseen. */
function endWith(error: unknown): void {
  const complaints = createLineOutput(2, { gapLine: () => '' })
  complaints.write(`svc: ${withoutSensitive(startFault(error))}\n`)
  complaints.flushSync()
  process.exit(1)
}

const FORESEEN = [
  ConfigError,
  CannotLock,
  DatabaseFault,
  FolderInUse,
  NoArgon2,
  NotAFolder,
  ProcessFault,
  ReleaseFault,
]

/**
 * Why the service could not start or go on: one line where the reason lies outside it (a setting, a folder, a disk, the
 * database), with the stack where it is a fault of its own.
 */
export function startFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (FORESEEN.some((kind) => error instanceof kind) || isOfSystem(error)) return inOneLine(error.message)
  if (error instanceof ServiceError && error.code === 'service_unavailable')
    return inOneLine(`the database cannot be used: ${reasonOf(error.cause)}`)
  return error.stack ?? error.message
}

/** A call to the system failed: no room, no permission, no such file; its message says which. */
function isOfSystem(error: Error): boolean {
  return 'syscall' in error
}

/** A connection that was refused at several addresses has a code, and no message. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message !== '' || !('code' in cause) ? cause.message : String(cause.code)
}

function inOneLine(words: string): string {
  return words.replace(/\s+/g, ' ').trim()
}
