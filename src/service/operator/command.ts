import { userInfo } from 'node:os'
import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import type { Actor } from '../../contract/dashboard/audit.ts'
import type { Config } from '../config.ts'
import type { Merchants } from '../domains/merchants/merchants.ts'
import type { Clients } from '../domains/oauth/clients.ts'
import type { Administration } from '../domains/users/administration.ts'
import type { Database } from '../platform/database/database.ts'
import type { TextVault } from '../platform/vault/vault.ts'
import { withoutSensitive } from '../platform/secrets/secret-in-text.ts'

/** What a command may use that works on the database, beside running services. */
export interface CommandContext {
  config: Config
  database: Database
  merchants: Merchants
  clients: Clients
  /** People who sign in to the dashboard. */
  users: Administration
  /** Seals what commands enter. */
  textVault: TextVault
  output: Output
  /** Reads a secret from standard input, so that it appears neither in a list of processes nor in a shell history. */
  readSecret: () => Promise<string>
  sleep: (ms: number) => Promise<void>
}

/** Makes of an act on the database what commander calls: the database is opened for it, once the call was found right. */
export type OnDatabase = <Parameters extends unknown[]>(
  act: (context: CommandContext, ...parameters: Parameters) => Promise<void>,
) => (...parameters: Parameters) => Promise<void>

/** Why a command was not carried out, in a sentence for the operator; the program then ends with 1. */
export class CommandFault extends Error {
  override readonly name = 'CommandFault'
}

/** The fault of a command for a merchant that does not exist. */
export const noMerchant = (merchantId: string) => new CommandFault(`There is no merchant ${merchantId}.`)

/** A noun with the commands that are about it. */
export function group(name: string, description: string, example: string): Command {
  return new Command(name).description(description).addHelpText('after', exampleText(example))
}

/** Help ends with one call that works as it stands, but for its ids. */
export const exampleText = (example: string) => `\nExample:\n  ${example}`

export const MERCHANT_ID = 'the id of a merchant: svc merchants list'
export const JSON_OPTION = ['--json', 'write one JSON document'] as const

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** A time such as `30m`, `24h` or `7d`, in seconds, up to a year. */
export function secondsOf(words: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,8})([smhd])$/.exec(words) ?? []
  const seconds =
    unit === 's' || unit === 'm' || unit === 'h' || unit === 'd' ? Number(digits) * UNITS[unit] : Infinity
  if (seconds > 366 * UNITS.d)
    throw new InvalidArgumentError('It must be a time up to a year, such as 30m, 24h or 7d.')
  return seconds
}

/** A name with something in it. */
export function nameOf(words: string): string {
  const name = words.trim()
  if (name === '') throw new InvalidArgumentError('It must not be empty.')
  return name
}

/** Characters that would begin a new line, change the reading order, or be commands to the terminal. */
const NOT_SHOWN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu
const codeOf = (mark: string) => (mark.codePointAt(0) ?? 0).toString(16)

/**
 * A line with texts that a merchant or another server has chosen, such as a company's name: its control characters are written as
 * `\u{1b}`, so that they can neither add lines to a list nor send commands to the operator's terminal.
 */
export function onOneLine(line: string): string {
  return line.replace(NOT_SHOWN, (mark) => `\\u{${codeOf(mark)}}`)
}

/** A JSON document for a terminal or a program: JSON's own escapes for those characters, which it leaves as they are above U+001F. */
function toJson(document: object): string {
  const escaped = (mark: string) => (mark === '\n' ? mark : `\\u${codeOf(mark).padStart(4, '0')}`)
  return JSON.stringify(document, null, 2).replace(NOT_SHOWN, escaped)
}

/** What a command tells. Only what it was called for goes to standard output. */
export interface Output {
  /** Part of the answer, on a line of standard output. */
  line: (text: string) => void
  /** The whole answer: as one JSON document where the caller wants that, else in these lines; by themselves, a line for each field. */
  show: (format: Format, document: object, lines?: readonly string[]) => void
  /** A remark beside the answer, on a line of standard error. */
  note: (text: string) => void
}

/** The option `--json` of commands that show something. */
export interface Format {
  json?: true | undefined
}

/** `say`, `complain`: write to standard output, to standard error. */
export function outputBy(say: (text: string) => void, complain: (text: string) => void): Output {
  const line = (text: string) => say(`${onOneLine(text)}\n`)
  return {
    line,
    show({ json }, document, lines = factsOf(document)) {
      if (json === true) say(`${toJson(document)}\n`)
      else lines.forEach(line)
    },
    note: (text) => complain(`${onOneLine(text)}\n`),
  }
}

/** Each field with its value; a list in a field has a line for each entry. */
function factsOf(document: object): string[] {
  const fields = Object.entries(document)
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) => `${name.padEnd(width)}  ${wordsOf(one)}`),
  )
}

function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'object') return Object.values(value).map(wordsOf).join('  ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Who runs the command, for the audit log: the account's name where it has one. */
export function actor(): Actor {
  try {
    return `operator:${withoutSensitive(userInfo().username)}`
  } catch {
    return 'operator:unknown'
  }
}
