import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes a folder unless it is there, step by step: Node's own `recursive` never returns below /proc. Throws the system's error. */
export function makeFolder(folder: string): void {
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
