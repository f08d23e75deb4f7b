import type { Config } from '../config.ts'
import type { Database } from '../platform/database/database.ts'
import type { Merchants } from '../domains/merchants/merchants.ts'
import type { Clients } from '../domains/oauth/clients/clients.ts'
import type { Administration } from '../domains/users/administration.ts'

/** What a command may use. */
export interface CommandContext {
  config: Config
  database: Database
  merchants: Merchants
  clients: Clients
  /** People who sign in to the dashboard. */
  users: Administration
  /** Writes a line for the operator. */
  say: (text: string) => void
  /** Reads a secret from standard input, so that it appears neither in a list of processes nor in a shell history. */
  readSecret: () => Promise<string>
  sleep: (ms: number) => Promise<void>
}

interface Named {
  name: string
  /** How it is called, and what it does in words. */
  usage: string
}

/** Something that an operator does beside a running service, on its database. */
export interface Command extends Named {
  /** The exit code: 0 done, 1 not done, 2 called in a wrong way. */
  run: (context: CommandContext, parameters: string[]) => Promise<number>
}

/** What a command may use that asks a running service over HTTP. */
export interface RemoteContext {
  /** The version of this program. */
  version: string
  say: (text: string) => void
  /** The merchant's secret key, by which it asks; undefined where none is set. */
  readMerchantKey: () => string | undefined
  /** Aborted by Ctrl-C, and when the process is told to end. */
  untilStopped: () => AbortSignal
}

/** Something that a merchant's developer does: it needs no database and none of the service's settings. */
export interface RemoteCommand extends Named {
  /** The exit code, as that of `run`. */
  runRemotely: (context: RemoteContext, parameters: string[]) => Promise<number>
}
