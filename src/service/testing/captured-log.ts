import { Writable } from 'node:stream'
import type { Logger } from 'pino'
import { createLog } from '../platform/http/log.ts'
import { cardTraceIn, secretTraceIn } from './traces.ts'

/** The product's own log at its most detailed level, and everything logged so far; a test card or a secret in it fails the run. */
export function capturedLog(): { log: Logger; logged: () => string } {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      const trace = cardTraceIn(String(chunk)) ?? secretTraceIn(String(chunk))
      done(trace === null ? null : new Error(`the log holds ${trace}`))
    },
  })
  return { log: createLog('trace', stream), logged: () => text }
}
