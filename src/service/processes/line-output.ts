import { constants, fstatSync, openSync, writeSync } from 'node:fs'

/**
 * A stream of lines that nobody ever waits for. What can't be written (a full disk, a closed pipe, a reader that has stopped) is
 * dropped and counted; once writing works again, one line tells how many are missing at that place.
 */
export interface LineOutput {
  /** Takes one line, with its line break. It never throws, and never waits. */
  write: (line: string) => void
  /** How many lines were dropped since the start. */
  dropped: () => number
  /** Writes what is still waiting, for a second at most. For the end of the process. */
  flushSync: () => void
}

interface Settings {
  /** The line that stands where others are missing: how many, and the system's code of why. */
  gapLine: (lines: number, cause: string) => string
  /** How many bytes may wait for a slow reader. */
  maxWaitingBytes?: number
}

/** A line that waits, or what is left of one that is begun. `missing`: how many lines a line about a gap stands for. */
interface Piece {
  bytes: Buffer
  missing: number
  isBegun: boolean
}

const MAX_WAITING_BYTES = 1024 * 1024
/** How long until a descriptor that could not be written is tried again, in ms. */
const RETRY_MS = 1000
/** How long until a full pipe is tried again, in ms: longer while its reader takes nothing. */
const PAUSES = { shortestMs: 5, longestMs: 200 }
/** How long the end of the process may wait for a slow reader, in ms. */
const LAST_MS = 1000

/** `descriptor`: of a file, a pipe, a terminal; of a socket only where it is standard output or standard error. */
export function createLineOutput(
  descriptor: number,
  { gapLine, maxWaitingBytes = MAX_WAITING_BYTES }: Settings,
): LineOutput {
  const target = neverWaiting(descriptor)
  const waiting: Piece[] = []
  const gap = { lines: 0, cause: '' }
  let [dropped, waitingBytes, pauseMs] = [0, 0, PAUSES.shortestMs]
  let isFaulty = false
  let isLineBroken = false
  let timer: NodeJS.Timeout | undefined

  const drop = (missing: number, cause: string) => {
    if (missing === 0) dropped += 1
    gap.lines += Math.max(1, missing)
    gap.cause = cause
  }
  const later = (ms: number) => {
    timer ??= setTimeout(() => {
      timer = undefined
      tell()
      pump()
    }, ms).unref()
  }
  const add = (text: string, missing = 0) => {
    const bytes = Buffer.from(text)
    if (waitingBytes + bytes.length > maxWaitingBytes) return drop(missing, 'EAGAIN')
    waiting.push({ bytes, missing, isBegun: false })
    waitingBytes += bytes.length
  }
  /** Puts the line about those that are missing in their place. */
  const tell = () => {
    if (gap.lines === 0) return
    const { lines, cause } = gap
    gap.lines = 0
    add(`${isLineBroken ? '\n' : ''}${gapLine(lines, cause)}`, lines)
  }
  const giveUp = (cause: string) => {
    isFaulty = true
    isLineBroken ||= waiting[0]?.isBegun === true
    waitingBytes = 0
    for (const { missing } of waiting.splice(0)) drop(missing, cause)
    later(RETRY_MS)
  }
  /** Writes what waits until all is written, or nothing more is taken: then it goes on by itself. */
  const pump = () => {
    for (let [first] = waiting; first !== undefined; [first] = waiting) {
      const written = writeSome(target, first.bytes)
      if (written === 'EAGAIN') {
        later(pauseMs)
        pauseMs = Math.min(pauseMs * 2, PAUSES.longestMs)
        return
      }
      if (typeof written === 'string') return giveUp(written)
      isFaulty = false
      pauseMs = PAUSES.shortestMs
      waitingBytes -= written
      first.bytes = first.bytes.subarray(written)
      first.isBegun = true
      if (first.bytes.length > 0) continue
      isLineBroken = false
      waiting.shift()
    }
    if (gap.lines > 0) later(0)
  }
  return {
    write(line) {
      if (!isFaulty) tell()
      if (gap.lines > 0) return drop(0, gap.cause)
      add(line)
      if (timer === undefined) pump()
    },
    dropped: () => dropped,
    flushSync() {
      const begun = performance.now()
      tell()
      for (pump(); waiting.length > 0 && performance.now() - begun < LAST_MS; pump()) pause(PAUSES.shortestMs)
    },
  }
}

/** How many bytes were written; else the system's code of why none were. */
function writeSome(descriptor: number, bytes: Buffer): number | string {
  try {
    return writeSync(descriptor, bytes)
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'EIO'
  }
}

/**
 * A descriptor of the same stream whose writes return at once. A pipe or terminal is opened anew for that: whether writes wait is a
 * property that all processes share that were handed the same one.
 */
function neverWaiting(descriptor: number): number {
  const kind = fstatSync(descriptor)
  if (kind.isFile()) return descriptor
  if (!kind.isSocket()) {
    try {
      const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
      return openSync(`/proc/self/fd/${descriptor}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
    } catch {
      // Another account's pipe, or a system without /proc.
    }
  }
  // Node's own stream is made at the first use of its name; from then on writes to its descriptor do not wait.
  void (descriptor === 1 ? process.stdout : process.stderr)
  return descriptor
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
