import { readFileSync, statfsSync } from 'node:fs'
import { hostname, platform } from 'node:os'
import { runProgram } from '../program.ts'

/** What tells a running kernel from another one, and which folders no other kernel can reach. */
export interface Machine {
  /** Another one after each restart; null where the system does not tell. */
  bootId: string | null
  host: string
  /** Whether a folder's volume can be mounted by one kernel at a time only. False where that isn't known. */
  isLocal: (folder: string) => boolean
}

/** Volumes of one kernel, by the type that statfs(2) tells (linux/magic.h, and the last two of macOS). */
const LOCAL_TYPES: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0xf2f52010, // f2fs
  0x2fc12fc1, // zfs
  0xca451a4e, // bcachefs
  0x794c7630, // overlayfs
  0x01021994, // tmpfs
  0x1a, // apfs
  0x11, // hfs
])

/** The machine, or the virtual one, that this process runs on. All its containers share one kernel. */
export function thisMachine(): Machine {
  return {
    bootId: bootId(),
    host: hostname(),
    isLocal: (folder) => LOCAL_TYPES.has(statfsSync(folder).type),
  }
}

function bootId(): string | null {
  if (platform() === 'darwin') return runProgram('sysctl', ['-n', 'kern.bootsessionuuid']).output || null
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}
