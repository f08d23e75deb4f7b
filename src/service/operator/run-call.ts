import type { Command, CommandContext, RemoteCommand, RemoteContext } from './command.ts'
import { likelyName } from '../platform/likely-name.ts'
import { asksForHelp, sensitiveParameterIn, usageOf, parameterFault } from './usage.ts'

/** What commands use, and how to close it. */
export interface OpenContext {
  context: CommandContext
  close: () => Promise<void>
}

interface Parts {
  commands: readonly (Command | RemoteCommand)[]
  /** Connects to the database; called only for a command that exists. */
  open: () => Promise<OpenContext>
  remote: Omit<RemoteContext, 'say'>
  /** Standard output and standard error. */
  say: (text: string) => void
  complain: (text: string) => void
}

/** Runs one call of the operator's program. Returns its exit code: 0 done, 1 not done, 2 called in a wrong way. */
export async function runCall(
  call: readonly string[],
  { commands, open, remote, say, complain }: Parts,
): Promise<number> {
  const [name = '', ...parameters] = call
  const command = commands.find((one) => one.name === name)
  if (asksForHelp(call)) {
    say(usageOf(commands, name))
    return 0
  }
  if (command === undefined) {
    complain(`svc: ${noCommand(name, commands)}\n`)
    return 2
  }
  const fault = sensitiveParameterIn(parameters)
  if (fault !== null) {
    complain(`svc: ${fault}\n`)
    complain(usageOf(commands, name))
    return 2
  }
  try {
    const code = await runCommand(command, parameters, { open, remote, say })
    if (code === 2) complain(usageOf(commands, name))
    return code
  } catch (error) {
    const words = parameterFault(error)
    complain(`svc: ${words ?? (error instanceof Error ? error.message : String(error))}\n`)
    if (words !== null) complain(usageOf(commands, name))
    return words === null ? 1 : 2
  }
}

async function runCommand(
  command: Command | RemoteCommand,
  parameters: string[],
  { open, remote, say }: Pick<Parts, 'open' | 'remote' | 'say'>,
): Promise<number> {
  if ('runRemotely' in command)
    return command.runRemotely({ ...remote, say: (text) => say(`${text}\n`) }, parameters)
  const { context, close } = await open()
  try {
    return await command.run(context, parameters)
  } finally {
    await close()
  }
}

/** Does not list all commands: the list is so long that nobody would see the error. */
function noCommand(name: string, commands: Parts['commands']): string {
  const likely = likelyName(
    name,
    commands.map((one) => one.name),
  )
  const hint = likely === null ? '`npm run operator` lists all of them.' : `Did you mean ${likely}?`
  return sensitiveParameterIn([name]) ?? `There is no command ${name}. ${hint}`
}
