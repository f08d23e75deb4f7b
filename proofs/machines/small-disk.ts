import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file system of its own that can be filled. */
export interface SmallDisk {
  /** It takes seconds, in which everything else goes on. */
  fill: () => Promise<void>
  makeRoom: () => void
  unmount: () => void
}

/** Mounts one at `place`, a folder that it makes; null where this account may mount none. */
export function mountSmallDisk(place: string, megabytes: number): SmallDisk | null {
  mkdirSync(place)
  const options = `size=${megabytes}m,mode=711`
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'svc-proof', place]).status !== 0) return null
  const filler = join(place, 'filler')
  return {
    async fill() {
      const { bavail, bsize } = statfsSync(place)
      try {
        await writeFile(filler, Buffer.alloc(bavail * bsize))
      } catch (error) {
        // Others write meanwhile: it is full all the same.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      }
    },
    makeRoom: () => rmSync(filler),
    unmount: () => void spawnSync('umount', ['--lazy', place]),
  }
}
