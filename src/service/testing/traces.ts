import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { secretIn } from '../platform/secrets/secret-in-text.ts'

/** The cards that tests, proofs and demos pay with (contract §4, sandbox gateway), and their codes. */
const NUMBERS = ['5111111111111118', '4012000033330026', '371449635398431']
const CODES = ['100', '739', '1000', '7391']
const CODE_NAMES = ['card_ccv', 'code', 'cvc']

/** One expression for every trace, so that a file (16 MB of write-ahead log, for one) is read through once. All are ASCII. */
const TRACES = new RegExp(
  [
    ...NUMBERS.flatMap(formsOfNumber),
    ...CODES.flatMap((code) => CODE_NAMES.flatMap((name) => formsOfCode(name, code))),
  ]
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|'),
)

/** The first trace of a test card in bytes or a text: a number in one of its forms, or a code by its name; null where there is none. */
export function cardTraceIn(content: Buffer | string): string | null {
  const text = typeof content === 'string' ? content : content.toString('latin1')
  return TRACES.exec(text)?.[0] ?? null
}

/** What may be a secret of the service as it was issued, in capitals or without hyphens: a UUID, a prefix with letters, a JWT. */
const MAYBE_SECRETS =
  /(?<![\da-f])[\da-f]{8}(-?)[\da-f]{4}\1[\da-f]{4}\1[\da-f]{4}\1[\da-f]{12}(?![\da-f])|(?:[sc][sk]_[a-z]+|whsec|svc_[a-z]+)_[\w+/-]{32}|eyJ[\w-]{16,}\.eyJ[\w-]{16,}/gi

/** The first secret of the service, whichever it is, in bytes or a text that should hold none; null where there is none. */
export function secretTraceIn(content: Buffer | string): string | null {
  const text = typeof content === 'string' ? content : content.toString('latin1')
  for (const [found] of text.matchAll(MAYBE_SECRETS)) {
    const kind = secretIn(found)
    if (kind !== null) return `a ${kind}: ${found.slice(0, 16)}…`
  }
  return null
}

/** Where the demo keeps its merchant's keys, for the shop to read. */
const OF_THE_DEMO = 'demo.json'

/**
 * Throws when any file below a folder contains a trace of a test card or a secret of the service: logs, and a database's tables and
 * write-ahead log.
 */
export function refuseTraces(folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  // Most files of a test database are unchanged copies of the migrated database's, under the same names.
  const clean = new Map<string, Buffer>()
  const faults = files.flatMap(({ parentPath, name }) => {
    const content = readFileSync(join(parentPath, name))
    if (clean.get(name)?.equals(content) === true) return []
    const trace = cardTraceIn(content) ?? (name === OF_THE_DEMO ? null : secretTraceIn(content))
    if (trace === null && !clean.has(name)) clean.set(name, content)
    return trace === null ? [] : [`${join(parentPath, name)} holds ${trace}`]
  })
  if (faults.length > 0)
    throw new Error(`a card or a secret was kept where it must not be:\n${faults.join('\n')}`)
}

/** Plain, in groups, in hex, and in base64 wherever it begins there. */
function formsOfNumber(number: string): string[] {
  const groups = number.startsWith('3') ? /(\d{4})(\d{6})(\d{5})/ : /(\d{4})(\d{4})(\d{4})(\d{4})/
  const [, ...parts] = groups.exec(number) ?? []
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.from('\0'.repeat(before) + number).toString('base64')
    return text.slice(before === 0 ? 0 : 4, -4)
  })
  return [number, parts.join(' '), parts.join('-'), Buffer.from(number).toString('hex'), ...base64]
}

/** As JSON, as JSON within a text, in an address. */
function formsOfCode(name: string, code: string): string[] {
  return [`"${name}":"${code}"`, `"${name}": "${code}"`, `\\"${name}\\":\\"${code}\\"`, `${name}=${code}`]
}
