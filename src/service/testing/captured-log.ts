import { Writable } from 'node:stream'
import type { Logger } from 'pino'
import { createLog } from '../http/log.ts'

/** The product's own log at its most talkative, and what it has said so far. */
export function capturedLog(): { log: Logger; logged: () => string } {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  return { log: createLog('trace', stream), logged: () => text }
}
