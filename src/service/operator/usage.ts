import type { Command } from './command.ts'

/** How the command of this name is called; every command where there is no such one. */
export function usageOf(commands: readonly Command[], name: string | undefined): string {
  const named = commands.find((command) => command.name === name)
  const heading =
    named === undefined ? 'What an operator does beside a running service' : `${named.name} is called so`
  const shown = named === undefined ? commands : [named]
  const lines = shown.map(({ usage }) => `  npm run operator -- ${usage}\n`)
  return `${heading}:\n\n${lines.join('')}`
}

/** What is wrong with a command's parameters, in the words of `parseArgs`; null for any other error. */
export function wrongCall(error: unknown): string | null {
  const isWrong =
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('ERR_PARSE_ARGS')
  return isWrong ? error.message : null
}
