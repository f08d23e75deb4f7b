import { closeSync, constants, openSync } from 'node:fs'
import { platform } from 'node:os'
import { runProgram } from '../program.ts'

/** There is no way to lock a file here: its volume has no locks, or the program that takes them is missing. */
export class CannotLock extends Error {
  override readonly name = 'CannotLock'
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
