import { closeSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { CannotLock, takeKernelLock } from './kernel-lock.ts'
import { thisMachine } from './machine.ts'
import type { Machine } from './machine.ts'

/** A live service holds the folder, or one of another machine may; the message says what to do, in one line. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

const Holder = v.object({ boot_id: v.nullable(v.string()), host: v.string(), process: v.number() })
type Holder = v.InferOutput<typeof Holder>

const UNKNOWN: Holder = { boot_id: null, host: 'unknown', process: 0 }

/**
 * Takes a folder for this process; returns what gives it back. The lock is the kernel's, so it holds across containers
 * and ends with its process. The record beside it names the holder; on a volume that several machines can mount it is
 * also the lock between them: nobody can tell from here whether a service of another machine, or of this one before it
 * was restarted, still runs, so its record is never taken over there. Throws `FolderInUse` at once, and `CannotLock`.
 * `mode` is the two files'.
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
