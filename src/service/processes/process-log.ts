import { stdTimeFunctions } from 'pino'
import type { Logger } from 'pino'
import { createLog } from '../platform/http/log.ts'
import { createLineOutput } from './line-output.ts'

/** The log of this process, on standard output. */
interface ProcessLog {
  log: Logger
  /** How many of its lines could not be written. */
  droppedLines: () => number
}

/**
 * Opens the log, to which Node's own warnings go too. `processNumber`: which of several processes this is; each line names it. A log
 * that can't be written stops nothing: docs/operating.md.
 */
export function openProcessLog(level: string, processNumber?: number): ProcessLog {
  const facts = processNumber === undefined ? {} : { process: processNumber }
  const output = createLineOutput(1, { gapLine: (lines, cause) => `${gapOf(facts, lines, cause)}\n` })
  process.on('exit', output.flushSync)
  const log = createLog(level, output).child(facts)
  // Node would write them to standard error, and wait there for a reader that may have stopped.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, 'Node warns'))
  return { log, droppedLines: output.dropped }
}

/** In the form of pino's own lines: a warning. */
function gapOf(facts: object, lines: number, cause: string): string {
  const told = {
    ...facts,
    dropped: lines,
    cause,
    msg: 'lines of the log are missing here: they could not be written',
  }
  return `{"level":40${stdTimeFunctions.isoTime()},${JSON.stringify(told).slice(1)}`
}
