import { join } from 'node:path'
import { makeFolder } from '../../make-folder.ts'
import { FolderInUse, lockFolder } from './folder-lock.ts'
import { takePidLock } from './pid-lock.ts'

/**
 * Takes a data folder, which is made if need be, for this process; returns what gives it back. Throws `FolderInUse` at
 * once when a live service holds it, `CannotLock` where no lock can be had, and the system's own error.
 */
export function lockDataDir(dataDir: string): () => void {
  makeFolder(dataDir)
  const unlock = lockFolder(dataDir, 0o600)
  try {
    const old = takePidLock(join(dataDir, 'service.lock'))
    if ('release' in old) {
      return () => {
        old.release()
        unlock()
      }
    }
    throw new FolderInUse(
      `${dataDir} is in use by another service (process ${old.holder}). Stop that one, or give this one its own SVC_DATA_DIR.`,
    )
  } catch (error) {
    unlock()
    throw error
  }
}
