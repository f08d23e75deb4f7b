import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'

const numberLike = /\d(?:[ -]?\d){11,18}/g

/** The process's log: JSON lines, with every card secret and key redacted wherever it might stand. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const secrets = [
    'card_number',
    'card_ccv',
    'number',
    'code_on_card',
    'x-user-secret-key',
    'authorization',
    'password',
  ]
  const options = {
    level,
    redact: secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
    serializers: { err: errorFacts },
    base: null,
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** What may be told of an error: not the database's `detail`, which repeats whole rows, and no long numbers. */
function errorFacts(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an error' }
  const hide = (text: string) => text.replace(numberLike, '[digits]')
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { type: error.name, message: hide(error.message), stack: hide(error.stack ?? ''), ...code }
}
