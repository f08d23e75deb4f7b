import { closeSync, constants, openSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { hostname, platform } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { makeFolder } from '../../make-folder.ts'
import { runProgram } from '../program.ts'

/** A live service holds the folder, or one of another machine may; the message says what to do, in one line. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

/** There is no way to lock a file here: its volume has no locks, or the program that takes them is missing. */
export class CannotLock extends Error {
  override readonly name = 'CannotLock'
}

/**
 * Takes a data folder, which is made if need be, for this process; returns what gives it back. Throws `FolderInUse` at
 * once when a live service holds it, `CannotLock` where no lock can be had, and the system's own error.
 */
export function lockDataDir(dataDir: string): () => void {
  makeFolder(dataDir)
  return lockFolder(dataDir, 0o600)
}

/**
 * Takes a folder for this process; returns what gives it back. The lock is the kernel's, so it holds across containers
 * and ends with its process. The record beside it names the holder; on a volume that several machines can mount it is
 * also the lock between them: nobody can tell whether the holder (another machine, or this one before a reboot) still
 * runs, so its record is never taken over there. Throws `FolderInUse` at once, and `CannotLock`. `mode`: the permissions
 * of both files.
 */
export function lockFolder(folder: string, mode: number, machine: Machine = thisMachine()): () => void {
  const lock = join(folder, 'service-folder.lock')
  const record = join(folder, 'service-folder.holder')
  const descriptor = takeKernelLock(lock, mode)
  if (descriptor === null) throw new FolderInUse(inUse(folder, readHolder(record)))
  try {
    const isLocal = machine.isLocal(folder)
    if (!isLocal) refuseUnenforcedLock(lock, mode)
    const last = readHolder(record)
    const isOurs = last === null || (last.boot_id !== null && last.boot_id === machine.bootId)
    if (!isLocal && !isOurs) throw new FolderInUse(perhapsInUse(folder, record, last))
    writeHolder(record, mode, last === null, machine)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  return () => {
    rmSync(record, { force: true })
    closeSync(descriptor)
  }
}

/**
 * Locks a file by the kernel, exclusively (flock(2)); returns the open descriptor, or null when another process holds the
 * lock. It holds for every process of this kernel, in whatever container, under whatever path, and lasts until the
 * descriptor is closed here and in every process that it was handed down to: also when they are killed. The file is
 * made if need be and never removed, as a lock on a removed file would keep nobody out. Throws `CannotLock`.
 */
export function takeKernelLock(file: string, mode: number): number | null {
  return platform() === 'darwin' ? openLocked(file, mode) : openAndLock(file, mode)
}

/** Node has no flock(2). The program locks the open file that it is handed, which stays locked when the program ends. */
function openAndLock(file: string, mode: number): number | null {
  const descriptor = openSync(file, 'a+', mode)
  const { code, complaint } = runProgram('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
  })
  if (code === 0) return descriptor
  closeSync(descriptor)
  if (code === 1 && complaint === '') return null
  throw new CannotLock(`${file} cannot be locked (${complaint})`)
}

/** O_EXLOCK, which Node does not name: macOS locks a file as it opens it. */
const LOCK_AT_OPEN = 0x20

function openLocked(file: string, mode: number): number | null {
  const { O_RDWR, O_CREAT, O_NONBLOCK } = constants
  try {
    return openSync(file, O_RDWR | O_CREAT | O_NONBLOCK | LOCK_AT_OPEN, mode)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EAGAIN' || code === 'EWOULDBLOCK') return null
    if (code === 'ENOTSUP' || code === 'EOPNOTSUPP')
      throw new CannotLock(`${file} cannot be locked (${code})`)
    throw error
  }
}

const Holder = v.object({ boot_id: v.nullable(v.string()), host: v.string(), process: v.number() })
type Holder = v.InferOutput<typeof Holder>

const UNKNOWN: Holder = { boot_id: null, host: 'unknown', process: 0 }

/** Some volumes grant a lock and do not enforce it: taking it a second time must fail. */
function refuseUnenforcedLock(lock: string, mode: number): void {
  const second = takeKernelLock(lock, mode)
  if (second === null) return
  closeSync(second)
  throw new CannotLock(`${lock} can be locked twice`)
}

function readHolder(record: string): Holder | null {
  try {
    return v.parse(Holder, JSON.parse(readFileSync(record, 'utf8')))
  } catch (error) {
    // A half-written record still shows that a service was here.
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? null : UNKNOWN
  }
}

/** `isNew`: there was none, so one that is there now was made by another machine in this moment. */
function writeHolder(record: string, mode: number, isNew: boolean, { bootId, host }: Machine): void {
  const holder: Holder = { boot_id: bootId, host, process: process.pid }
  try {
    writeFileSync(record, `${JSON.stringify(holder)}\n`, { mode, flag: isNew ? 'wx' : 'w' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new FolderInUse(perhapsInUse(record, record, readHolder(record) ?? UNKNOWN))
    // A full disk would leave an empty record, which a shared volume never forgets.
    rmSync(record, { force: true })
    throw error
  }
}

function inUse(folder: string, holder: Holder | null): string {
  const who = holder === null ? '' : ` (process ${holder.process} on host ${holder.host})`
  return `${folder} is in use by another service${who}. Stop that one, or give this one its own SVC_DATA_DIR.`
}

function perhapsInUse(folder: string, record: string, { host }: Holder): string {
  return (
    `${folder} is on a volume that several machines can mount, and was last used by a service on another one, or before ` +
    `a restart (host ${host}). Make sure that no service runs on it any more, then remove ${record} and start again.`
  )
}

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
function thisMachine(): Machine {
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
