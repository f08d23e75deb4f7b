import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Linux's in-memory file system; in a container it is often too small. */
const IN_MEMORY = '/dev/shm'

/**
 * The folder for temporary files: in memory where this and the memory itself have room for so many bytes, else the system's own.
 * PostgreSQL makes some 560 files for each database, and all are removed again: in memory that takes half of the processor's time,
 * and no wait for a disk.
 */
export function temporaryFolder(bytes: number): string {
  if (!existsSync(IN_MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  return Math.min(bavail * bsize, process.availableMemory()) < bytes ? tmpdir() : IN_MEMORY
}
