import { holdsCardNumber } from '../../card/number-in-text.ts'
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

/** Refuses a call with a card number in it, as parameters (a merchant's name, for one) are stored unencrypted. Null when there is none. */
export function cardNumberIn(parameters: readonly string[]): string | null {
  const place = parameters.findIndex(holdsCardNumber)
  return place === -1 ? null : `parameter ${place + 1} looks like a card number; nothing was kept`
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
