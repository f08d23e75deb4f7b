import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import { monotonicClock } from '../platform/clocks.ts'

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
  const lines = createQueue(gapLine, maxWaitingBytes)
  let pauseMs = PAUSES.shortestMs
  let isFaulty = false
  let timer: NodeJS.Timeout | undefined

  const later = (ms: number) => {
    timer ??= setTimeout(() => {
      timer = undefined
      lines.tellGap()
      pump()
    }, ms).unref()
  }
  /** Writes what waits until all is written, or nothing more is taken: then it goes on by itself. */
  const pump = () => {
    for (let first = lines.first(); first !== undefined; first = lines.first()) {
      const written = writeSome(target, first)
      if (typeof written === 'number') {
        isFaulty = false
        pauseMs = PAUSES.shortestMs
        lines.take(written)
      } else if (written === 'EAGAIN') {
        later(pauseMs)
        pauseMs = Math.min(pauseMs * 2, PAUSES.longestMs)
        return
      } else {
        isFaulty = true
        lines.dropAll(written)
        later(RETRY_MS)
        return
      }
    }
    if (lines.hasGap()) later(0)
  }
  return {
    write(line) {
      if (!isFaulty) lines.tellGap()
      lines.add(line)
      if (timer === undefined) pump()
    },
    dropped: lines.dropped,
    flushSync() {
      const begun = monotonicClock.elapsedMs()
      lines.tellGap()
      pump()
      while (lines.first() !== undefined && monotonicClock.elapsedMs() - begun < LAST_MS) {
        pause(PAUSES.shortestMs)
        pump()
      }
    },
  }
}

/** The lines that wait to be written, in bounded memory, and how many are missing at their end. */
function createQueue(gapLine: Settings['gapLine'], maxBytes: number) {
  const waiting: Piece[] = []
  const gap = { lines: 0, cause: '' }
  let [dropped, waitingBytes] = [0, 0]
  let isLineBroken = false

  const drop = (missing: number, cause: string) => {
    if (missing === 0) dropped += 1
    gap.lines += Math.max(1, missing)
    gap.cause = cause
  }
  const add = (text: string, missing: number) => {
    const bytes = Buffer.from(text)
    if (waitingBytes + bytes.length > maxBytes) {
      drop(missing, 'EAGAIN')
      return
    }
    waiting.push({ bytes, missing, isBegun: false })
    waitingBytes += bytes.length
  }
  return {
    first: () => waiting[0]?.bytes,
    hasGap: () => gap.lines > 0,
    dropped: () => dropped,
    /** Adds a line. It is dropped when there is no room, and after dropped lines until a line has reported those. */
    add(line: string) {
      if (gap.lines > 0) drop(0, gap.cause)
      else add(line, 0)
    },
    /** Puts the line about those that are missing in their place. */
    tellGap() {
      if (gap.lines === 0) return
      const { lines, cause } = gap
      gap.lines = 0
      add(`${isLineBroken ? '\n' : ''}${gapLine(lines, cause)}`, lines)
    },
    /** So many bytes of the first are written. */
    take(written: number) {
      const [first] = waiting
      if (first === undefined) return
      waitingBytes -= written
      first.bytes = first.bytes.subarray(written)
      first.isBegun = true
      if (first.bytes.length > 0) return
      isLineBroken = false
      waiting.shift()
    },
    dropAll(cause: string) {
      isLineBroken ||= waiting[0]?.isBegun === true
      waitingBytes = 0
      for (const { missing } of waiting.splice(0)) drop(missing, cause)
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
  // Writes to the descriptor of Node's own stream do not wait, once that was made: at the first use of its name.
  const stream = descriptor === 1 ? process.stdout : process.stderr
  return stream.fd
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
