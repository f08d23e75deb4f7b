import { pino, stdTimeFunctions } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { secretIn, withoutSensitive } from '../secrets/secret-in-text.ts'

/** Enough digits with no letter between them, or characters that may stand for digits: escapes, other scripts. */
const mayHoldCardNumber = /(?:\d[^a-z\d]*){13}|[\\%&]|[^ -~\n]/i

/**
 * A log of JSON lines, written to `destination`; times are in UTC (RFC 3339). Fields of secrets are redacted by their names, and
 * whatever text, name or number holds a card number or a secret of this service is hidden.
 */
export function createLog(level: string, destination: DestinationStream): Logger {
  const secrets = [
    'card_number',
    'card_ccv',
    'number',
    'code_on_card',
    'x-user-secret-key',
    'authorization',
    'cookie',
    'set-cookie',
    'password',
    'recovery_code',
    'token',
    'payment_source',
    'secret',
    'client_secret',
  ]
  const options = {
    level,
    redact: secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
    serializers: { err: errorFacts },
    hooks: { streamWrite: withoutSensitiveTexts },
    base: null,
    timestamp: stdTimeFunctions.isoTime,
  }
  return pino(options, destination)
}

/** The last safeguard. Few lines are searched: the time that begins each has digits of its own. */
function withoutSensitiveTexts(line: string): string {
  const [, rest = line] = /^\{"level":\d+,"time":"[-:.TZ\d]+"(.*)$/s.exec(line) ?? []
  if (!mayHoldCardNumber.test(rest) && secretIn(rest) === null) return line
  const told: unknown = JSON.parse(line)
  return `${JSON.stringify(hidden(told))}\n`
}

function hidden(value: unknown): unknown {
  if (typeof value === 'string') return withoutSensitive(value)
  if (typeof value === 'number') {
    const shown = withoutSensitive(String(value))
    return shown === String(value) ? value : shown
  }
  if (Array.isArray(value)) return value.map(hidden)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [withoutSensitive(name), hidden(inner)]),
  )
}

/**
 * What may be logged of an error: not the database's `detail`, which repeats whole rows. The place in the code stands apart from
 * the message, so that it stays when that is hidden.
 */
function errorFacts(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an error' }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  const stack = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { type: error.name, message: error.message, stack: stack.join('\n'), ...code }
}
