import { mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FolderInUse, lockFolder } from './folder-lock.ts'
import { takePidLock } from './pid-lock.ts'

/**
 * Takes a data folder, which is made if need be, for this process; returns what gives it back. Throws `FolderInUse` at
 * once when a live service holds it, `CanNotLock` where no lock can be had, and the system's own error.
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

/** Step by step, since Node's own `recursive` never returns below /proc. */
function makeFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) return
  if (found !== undefined) throw new Error(`${folder} is not a folder`)
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o711 })
  } catch (error) {
    // Another process may have made it in this moment.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}
