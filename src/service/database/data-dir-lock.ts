import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Another live service holds the data folder. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse'
}

/**
 * Takes a data folder for this process; returns what gives it back. A lock whose process is gone (killed, or
 * the machine restarted) is taken over. Throws `DataDirInUse` at once when its process lives.
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  const lock = join(dataDir, 'service.lock')
  const mine = `${String(process.pid)} ${startOf(process.pid)}`
  for (;;) {
    if (claim(lock, mine)) return () => rmSync(lock, { force: true })
    const holder = readLock(lock)
    if (holder === null) continue
    const [pid = ''] = holder.split(' ')
    if (isAlive(Number(pid)) && holder === `${pid} ${startOf(Number(pid))}`) {
      throw new DataDirInUse(
        `${dataDir} is in use by another service (process ${pid}). Stop that one, or give this one its own SVC_DATA_DIR.`,
      )
    }
    discard(lock, holder)
  }
}

/** Creates the lock with its content in one step, so that no one ever reads half a lock. */
function claim(lock: string, content: string): boolean {
  const draft = `${lock}.${randomUUID()}`
  writeFileSync(draft, content, { mode: 0o600 })
  try {
    linkSync(draft, lock)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  } finally {
    rmSync(draft)
  }
}

/** Moves a dead lock aside; one that turns out to be another's, taken in the meantime, is put back. */
function discard(lock: string, expected: string): void {
  const aside = `${lock}.${randomUUID()}`
  try {
    renameSync(lock, aside)
    if (readLock(aside) !== expected) linkSync(aside, lock)
    rmSync(aside, { force: true })
  } catch (error) {
    if (!isCode(error, 'ENOENT') && !isCode(error, 'EEXIST')) throw error
  }
}

function readLock(lock: string): string | null {
  try {
    return readFileSync(lock, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}

/**
 * When a process started, where the system tells: a number that was given out again is another process. Of one that has
 * ended and was not yet collected (states Z and X) nothing is told.
 */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    const [state = '', ...facts] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return /[ZX]/.test(state) ? 'ended' : (facts[18] ?? '')
  } catch {
    return ''
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
