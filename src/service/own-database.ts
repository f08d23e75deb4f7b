import { ConfigError } from './platform/errors.ts'
import type { OwnDatabase } from './open-database.ts'
import { startEmbeddedPostgres } from './platform/database/embedded/embedded-postgres.ts'
import { installedPrograms } from './platform/database/embedded/postgres-location.ts'
import { lockDataDir } from './platform/database/locks/data-dir-lock.ts'
import { FolderInUse } from './platform/database/locks/folder-lock.ts'
import { CannotLock } from './platform/database/locks/kernel-lock.ts'

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
