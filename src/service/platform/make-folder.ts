import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Something that is no folder stands where one is to be. */
export class NotAFolder extends Error {
  override readonly name = 'NotAFolder'
}

/**
 * Makes a folder unless it is there, step by step: Node's own `recursive` never returns below /proc. Throws a `NotAFolder`,
 * and the system's own error.
 */
export function makeFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) return
  if (found !== undefined) throw new NotAFolder(`${folder} is not a folder`)
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o711 })
  } catch (error) {
    // Another process may have made it in this moment.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}
