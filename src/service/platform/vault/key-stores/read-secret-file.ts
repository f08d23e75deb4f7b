import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** More than any file of keys, any PIN and any token needs. */
const MAX_BYTES = 65_536

/**
 * The text of a file that a setting names, without white space around it. Throws, with words for the operator, unless it is
 * a regular file of 64 KiB at most: a pipe or a device may never end.
 */
export function readSecretFile(path: string): string {
  // A pipe that nobody writes to would be waited for as it is opened.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is not a regular file`)
    const bytes = Buffer.alloc(MAX_BYTES + 1)
    const length = readSync(file, bytes)
    if (length > MAX_BYTES) throw new Error(`${path} has more than ${String(MAX_BYTES)} bytes`)
    return bytes.toString('utf8', 0, length).trim()
  } finally {
    closeSync(file)
  }
}
