import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

/** What may be a secret of the service as it was issued or in capitals: a prefix with letters, a JWT. */
const MAYBE_SECRETS = /(?:[sc][sk]_[a-z]+|whsec|svc_[a-z]+)_[\w+/-]{32}|eyJ[\w-]{16,}\.eyJ[\w-]{16,}/gi

/** A UUID, which may be a secret too, with or without hyphens. */
const UUIDS = /(?<![\da-f])[\da-f]{8}(-?)[\da-f]{4}\1[\da-f]{4}\1[\da-f]{4}\1[\da-f]{12}(?![\da-f])/gi
const UUID_LENGTH = 32

/** The first secret of the service, whichever it is, in bytes or a text that should hold none; null where there is none. */
export function secretTraceIn(content: Buffer | string): string | null {
  const text = typeof content === 'string' ? content : content.toString('latin1')
  const maybe = [text.matchAll(MAYBE_SECRETS), hexadecimalIn(text).flatMap((run) => [...run.matchAll(UUIDS)])]
  for (const [found] of maybe.flatMap((matches) => [...matches])) {
    const kind = secretIn(found)
    if (kind !== null) return `a ${kind}: ${found.slice(0, 16)}…`
  }
  return null
}

/**
 * All runs of hexadecimal digits and hyphens that have room for a UUID. One of every 32 characters is looked at, as each run has
 * one of these: to try the expression for UUIDs at each character takes twenty times as long.
 */
function hexadecimalIn(text: string): string[] {
  const runs: string[] = []
  for (let at = UUID_LENGTH - 1; at < text.length; at += UUID_LENGTH) {
    if (!isHexadecimal(text.charCodeAt(at))) continue
    let [start, end] = [at, at + 1]
    while (start > 0 && isHexadecimal(text.charCodeAt(start - 1))) start -= 1
    while (end < text.length && isHexadecimal(text.charCodeAt(end))) end += 1
    if (end - start >= UUID_LENGTH) runs.push(text.slice(start, end))
    at = Math.max(at, end - UUID_LENGTH)
  }
  return runs
}

const HEXADECIMAL = new Set(Array.from('0123456789abcdefABCDEF-', (character) => character.charCodeAt(0)))

const isHexadecimal = (code: number): boolean => HEXADECIMAL.has(code)

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
  // Most pages of a test database are unchanged copies of the migrated database's, in files of the same names.
  const clean = new Map<string, Buffer>()
  const faults = files.flatMap(({ parentPath, name }) => {
    const content = contentOf(join(parentPath, name))
    const news = changedPages(content, clean.get(name))
    const trace = cardTraceIn(news) ?? (name === OF_THE_DEMO ? null : secretTraceIn(news))
    if (trace === null) clean.set(name, content)
    return trace === null ? [] : [`${join(parentPath, name)} holds ${trace}`]
  })
  if (faults.length > 0)
    throw new Error(`a card or a secret was kept where it must not be:\n${faults.join('\n')}`)
}

/** Of a file that a server which still runs has deleted meanwhile: nothing. */
function contentOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    if (existsSync(file)) throw error
    return Buffer.alloc(0)
  }
}

/** PostgreSQL keeps no value across two pages. */
const PAGE_BYTES = 8192

/** The pages of a file in which it differs from another of its name; all of it where there is none. */
function changedPages(content: Buffer, other: Buffer | undefined): Buffer {
  if (other === undefined) return content
  if (other.equals(content)) return Buffer.alloc(0)
  const starts = Array.from(
    { length: Math.ceil(content.length / PAGE_BYTES) },
    (_, page) => page * PAGE_BYTES,
  )
  const pages = starts.map((start) => [start, Math.min(start + PAGE_BYTES, content.length)] as const)
  const changed = pages.filter(
    ([start, end]) => end > other.length || content.compare(other, start, end, start, end) !== 0,
  )
  return Buffer.concat(changed.map(([start, end]) => content.subarray(start, end)))
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
