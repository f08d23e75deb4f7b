import { Command, CommanderError } from '@commander-js/extra-typings'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { sensitiveIn } from '../platform/secrets/secret-in-text.ts'
import { auditCommands } from './audit.ts'
import { clientCommands, signingKeyCommands } from './clients.ts'
import { exampleText, onOneLine, outputBy } from './command.ts'
import type { CommandContext, OnDatabase, Output } from './command.ts'
import { gatewayCommands } from './gateways.ts'
import { keyCommands } from './keys.ts'
import { maintenanceCommands } from './maintenance.ts'
import { merchantCommands } from './merchants.ts'
import { figureCommands, outcomeCommands } from './outcomes.ts'
import { notificationCommands } from './notifications.ts'
import { migrateCommand } from './schema.ts'
import type { Schema } from './schema.ts'
import { userCommands } from './users.ts'
import { vaultCommands } from './vault.ts'
import { webhookCommands } from './webhooks.ts'
import type { Listener } from './webhooks.ts'

/** What commands use, and how to close it. */
export interface OpenContext {
  context: Omit<CommandContext, 'output'>
  close: () => Promise<void>
}

interface Streams {
  /** Write to standard output and to standard error. */
  say: (text: string) => void
  complain: (text: string) => void
}

/** What the command line uses of the machine and of the service. */
export interface Surroundings extends Streams {
  /** Connects to the database for an act beside running services; called only once the call was found right. */
  open: () => Promise<OpenContext>
  schema: Schema
  /** Starts the service in this process, which then ends by itself. */
  start: (options: { migrates: boolean }) => void
  remote: Omit<Listener, 'output'>
}

/** Every command of `svc`, in the order of the help. */
function svcProgram(surroundings: Surroundings, output: Output): Command {
  const onDatabase = onDatabaseOf(surroundings.open, output)
  const svc = new Command('svc')
    .description('Runs the card service, and does what its operator does beside it.')
    .version(surroundings.remote.version, '--version', 'show the version')
    .commandsGroup('The service:')
    .addHelpText(
      'after',
      `${exampleText('svc merchants add --name "Acme" --pre-auth')}\n\nsvc COMMAND --help shows how a command is called. Settings: docs/operating.md.`,
    )
  const groups: Record<string, CommandUnknownOpts[]> = {
    'The service:': [
      startCommand(surroundings),
      migrateCommand(surroundings.schema, output),
      maintenanceCommands(onDatabase),
      vaultCommands(onDatabase),
      auditCommands(onDatabase),
    ],
    'Merchants:': [
      merchantCommands(onDatabase),
      gatewayCommands(onDatabase),
      keyCommands(onDatabase),
      clientCommands(onDatabase),
      signingKeyCommands(onDatabase),
      userCommands(onDatabase),
    ],
    'Payments:': [
      outcomeCommands(onDatabase),
      notificationCommands(onDatabase),
      webhookCommands(onDatabase, { ...surroundings.remote, output }),
      figureCommands(onDatabase),
    ],
  }
  for (const [heading, commands] of Object.entries(groups))
    for (const command of commands) svc.addCommand(command.helpGroup(heading))
  settle(svc, 'svc', surroundings)
  return svc
}

function startCommand({ start }: Surroundings) {
  return new Command('start')
    .summary('run the service')
    .description('Runs the service, with the settings of the environment, until it is stopped.')
    .option('--no-migrate', 'refuse a schema that is older than this version, in place of changing it')
    .addHelpText('after', exampleText('svc start --no-migrate'))
    .action(({ migrate }) => start({ migrates: migrate }))
}

function onDatabaseOf(open: Surroundings['open'], output: Output): OnDatabase {
  return (act) =>
    async (...parameters) => {
      const { context, close } = await open()
      try {
        await act({ ...context, output }, ...parameters)
      } finally {
        await close()
      }
    }
}

/** Has a command and those below it write by us, and say of a wrong call what is wrong and how help is had, in two lines. */
function settle(command: CommandUnknownOpts, path: string, streams: Streams): void {
  const { say, complain } = streams
  command
    .exitOverride()
    .helpOption('-h, --help', 'show this')
    .helpCommand('help [COMMAND]', 'show how a command is called')
    .configureOutput({
      writeOut: say,
      writeErr: complain,
      outputError: (text) =>
        complain(
          `${path}: ${onOneLine(inOneSentence(text, command))}\n${path} --help shows how it is called.\n`,
        ),
    })
  requireLast(command)
  for (const below of command.commands) settle(below, `${path} ${below.name()}`, streams)
}

/**
 * Checks required options last. Commander checks them first: for `--nmae` it would say that `--name` is missing, not what was misspelt.
 */
function requireLast(command: CommandUnknownOpts): void {
  const required = command.options.filter(({ mandatory }) => mandatory)
  for (const option of required) {
    option.mandatory = false
    option.description += ' (required)'
  }
  command.hook('preAction', () => {
    const missing = required.find((option) => command.getOptionValue(option.attributeName()) === undefined)
    if (missing !== undefined) command.error(`error: required option '${missing.flags}' is missing`)
  })
}

/** Of commander's "error: unknown option '--nmae'\n(Did you mean --name?)". `command`: the one that it says so of. */
function inOneSentence(text: string, command: CommandUnknownOpts): string {
  const sentence = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\n\((Did you mean .*)\)$/, '. $1')
    .replace(/^command-argument value ('.*') is invalid for argument '(\w+)'/, '$2 $1 is invalid')
  if (!/^unknown command '[^']*'$/.test(sentence)) return sentence
  return `${sentence}. There are: ${command.commands.map((one) => one.name()).join(', ')}`
}

/** Runs one call of `svc`. Returns its exit code: 0 done, 1 not done, 2 called in a wrong way; null while the service runs. */
export async function callSvc(words: readonly string[], surroundings: Surroundings): Promise<number | null> {
  const { say, complain } = surroundings
  const output = outputBy(say, complain)
  const fault = sensitiveWordIn(words)
  if (fault !== null) {
    output.note(`svc: ${fault}`)
    return 2
  }
  let code: number | null = 0
  const start: Surroundings['start'] = (options) => {
    code = null
    surroundings.start(options)
  }
  try {
    const svc = svcProgram({ ...surroundings, start }, output)
    await svc.parseAsync(isForHelp(words) ? helpCallOf(words, svc) : words, { from: 'user' })
    return code
  } catch (error) {
    // It was said already. Asked for help or for the version, commander ends with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    output.note(`svc: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  }
}

const isForHelp = (words: readonly string[]): boolean =>
  words.length === 0 || words.slice(0, 2).includes('help') || /^(?:-h|--help)$/.test(words.at(-1) ?? '')

/**
 * The call that shows the help of the command that is named: by commander itself `help merchants add` shows that of `merchants`, and a command that
 * there is not that of its group. Of such a one this is the call without help, so that it is said.
 */
function helpCallOf(words: readonly string[], svc: CommandUnknownOpts): string[] {
  const path: string[] = []
  let command = svc
  for (const name of words.filter((word, at) => at > 1 || word !== 'help')) {
    if (name.startsWith('-') || command.commands.length === 0) break
    path.push(name)
    const below = command.commands.find((one) => one.name() === name)
    if (below === undefined) return path
    command = below
  }
  return [...path, '--help']
}

/**
 * Refuses a call with a card number or a secret of this service in it, as parameters (a merchant's name, for one) are stored unencrypted.
 * Null when there is none.
 */
function sensitiveWordIn(words: readonly string[]): string | null {
  const found = words.map(sensitiveIn)
  const place = found.findIndex((one) => one !== null)
  const kind = found[place] ?? null
  if (kind === null) return null
  const what = kind === 'card number' ? kind : `secret (${kind})`
  return `word ${String(place + 1)} after svc looks like a ${what}; nothing was kept`
}
