import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * The lock that versions before 1.2 take: a file with the holder's process id and start time. It is still taken, so that
 * an old and a new version on one machine refuse each other; it says nothing about processes of another container, which
 * the kernel's lock (folder-lock.ts) is for. Returns what gives it back, or the id of the process that holds it. A lock
 * whose process is gone (killed, or the machine restarted) is taken over.
 */
export function takePidLock(lock: string): { release: () => void } | { holder: string } {
  const mine = `${String(process.pid)} ${startOf(process.pid)}`
  for (;;) {
    if (claim(lock, mine)) return { release: () => rmSync(lock, { force: true }) }
    const holder = readLock(lock)
    if (holder === null) continue
    const [pid = ''] = holder.split(' ')
    if (isAlive(Number(pid)) && holder === `${pid} ${startOf(Number(pid))}`) return { holder: pid }
    discard(lock, holder)
  }
}

/** Creates the lock with its content in one step, so that no one ever reads half a lock. */
function claim(lock: string, content: string): boolean {
  const draft = `${lock}.${randomUUID()}`
  try {
    writeFileSync(draft, content, { mode: 0o600 })
    linkSync(draft, lock)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  } finally {
    rmSync(draft, { force: true })
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
