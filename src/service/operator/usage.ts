import { holdsCardNumber } from '../../card/number-in-text.ts'
import type { Command, RemoteCommand } from './command.ts'

/** A call that asks for help and for nothing else. */
export function asksForHelp(call: readonly string[]): boolean {
  return call.length === 0 || call[0] === 'help' || call.some((word) => word === '--help' || word === '-h')
}

/** How the command of this name is called; every command where there is no such one. */
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

/** Why a call is not carried out at all: a merchant's name, for one, is kept in plain. Null when nothing is wrong. */
export function cardNumberIn(parameters: readonly string[]): string | null {
  const place = parameters.findIndex(holdsCardNumber)
  return place === -1 ? null : `parameter ${place + 1} looks like a card number; nothing was kept`
}

/** What is wrong with a command's parameters, as `parseArgs` says it; null for any other error. */
export function parameterFault(error: unknown): string | null {
  const isWrong =
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('ERR_PARSE_ARGS')
  return isWrong ? error.message : null
}
