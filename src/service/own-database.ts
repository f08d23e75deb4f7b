import { ConfigError } from './platform/errors.ts'
import type { OwnDatabase } from './open-database.ts'
import { startEmbeddedPostgres } from './platform/database/embedded/embedded-postgres.ts'
import { installedPrograms } from './platform/database/embedded/postgres-location.ts'
import { CannotLock, FolderInUse, lockDataDir } from './platform/database/embedded/folder-lock.ts'

/** The embedded PostgreSQL of development and tests; its folder is for one service at a time. */
export const ownDatabase: OwnDatabase = { takeFolder, start: startEmbeddedPostgres }

function takeFolder(dataDir: string): () => void {
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
