import { sensitiveIn } from '../platform/secrets/sensitive-text.ts'
import type { Command, RemoteCommand } from './command.ts'

/** Whether a call asks for help only. */
export function asksForHelp(call: readonly string[]): boolean {
  return call.length === 0 || call[0] === 'help' || call.some((word) => word === '--help' || word === '-h')
}

/** The usage of the command with this name; of every command where there is none. */
export function usageOf(
  commands: readonly Pick<Command | RemoteCommand, 'name' | 'usage'>[],
  name: string | undefined,
): string {
  const named = commands.find((command) => command.name === name)
  const heading =
    named === undefined ? 'What an operator does beside a running service' : `${named.name} is called so`
  const shown = named === undefined ? commands : [named]
  const lines = shown.map(({ usage }) => `  npm run operator -- ${usage}\n`)
  return `${heading}:\n\n${lines.join('')}`
}

/**
 * Refuses a call with a card number or a secret of this service in it, as parameters (a merchant's name, for one) are stored unencrypted.
 * Null when there is none.
 */
export function sensitiveParameterIn(parameters: readonly string[]): string | null {
  const found = parameters.map(sensitiveIn)
  const place = found.findIndex((one) => one !== null)
  const kind = found[place] ?? null
  if (kind === null) return null
  const what = kind === 'card number' ? kind : `secret (${kind})`
  return `parameter ${place + 1} looks like a ${what}; nothing was kept`
}

/** The message of `parseArgs` about wrong parameters; null for any other error. */
export function parameterFault(error: unknown): string | null {
  const isWrong =
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('ERR_PARSE_ARGS')
  return isWrong ? error.message : null
}
