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
    asOthersMayRead(() => mkdirSync(folder, { mode: 0o711 }))
  } catch (error) {
    // Another process may have made it in this moment.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}

/**
 * Makes files with the modes that `work` names, at most readable to others: the mask of a process keeps what it makes to its own account
 * (`keepPrivate`), and some is for PostgreSQL's. `work` may not wait for anything.
 */
export function asOthersMayRead<Result>(work: () => Result): Result {
  const mask = process.umask(0o022)
  try {
    return work()
  } finally {
    process.umask(mask)
  }
}
