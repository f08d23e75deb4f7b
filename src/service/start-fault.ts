import { ConfigError, ServiceError } from './platform/errors.ts'
import { NoArgon2 } from './domains/users/argon2.ts'
import { DatabaseFault } from './platform/database/faults.ts'
import { CannotLock, FolderInUse } from './platform/database/embedded/folder-lock.ts'
import { NotAFolder } from './platform/make-folder.ts'
import { ProcessFault } from './processes/process-group.ts'
import { ReleaseFault } from './domains/sdk-releases/read-releases.ts'

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
