import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import type { Config } from '../config.ts'
import type { Database } from '../platform/database/database.ts'
import type { Merchants } from '../domains/merchants/merchants.ts'
import type { Clients } from '../domains/oauth/clients.ts'
import type { Administration } from '../domains/users/administration.ts'
import type { Output } from './output.ts'

/** What a command may use that works on the database, beside running services. */
export interface CommandContext {
  config: Config
  database: Database
  merchants: Merchants
  clients: Clients
  /** People who sign in to the dashboard. */
  users: Administration
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

/** The fault of a command for a merchant that is not there. */
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
