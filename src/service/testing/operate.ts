import { readConfig } from '../config.ts'
import { migrations } from '../platform/database/migrations.ts'
import type { SignInBed } from '../domains/users/testing/sign-in-bed.ts'
import type { CommandContext } from '../operator/command.ts'
import { callSvc } from '../operator/svc-program.ts'
import type { Surroundings } from '../operator/svc-program.ts'
import { createTextVault } from '../platform/vault/vault.ts'
import { testKeys } from './test-service.ts'
import type { TestService } from './test-service.ts'

interface Entered {
  environment?: Record<string, string | undefined>
  /** What the operator enters on standard input. */
  secret?: string
  /** Called in place of waiting. */
  sleep?: () => Promise<void>
}

/** A call of `svc` that came to its end. */
export interface Operated {
  code: number | null
  /** Standard output and standard error, without the last line's end. */
  said: string
  complained: string
}

/** Runs a command, such as `merchants add`, on a test service's database. */
export function operate(
  { database, merchants, oauth, users }: TestService,
  command: string,
  parameters: readonly string[],
  entered: Entered = {},
): Promise<Operated> {
  const { administration } = users
  const textVault = createTextVault(() => testKeys)
  const context = { database, merchants, clients: oauth.clients, users: administration, textVault }
  return operateOn(context, command, parameters, entered)
}

/** The same with parts of a service alone. */
export function operateOn(
  parts: Pick<CommandContext, 'database' | 'merchants' | 'clients' | 'users' | 'textVault'>,
  command: string,
  parameters: readonly string[],
  { environment = {}, secret = '', sleep = () => Promise.resolve() }: Entered = {},
): Promise<Operated> {
  const context = {
    ...parts,
    config: readConfig(environment),
    readSecret: () => Promise.resolve(secret),
    sleep,
  }
  return call([...command.split(' '), ...parameters], {
    open: () => Promise.resolve({ context, close: () => Promise.resolve() }),
  })
}

/** One call of `svc` on a machine that has what is given, and else nothing. */
export async function call(words: readonly string[], given: Partial<Surroundings> = {}): Promise<Operated> {
  let said = ''
  let complained = ''
  const nothing = () => Promise.reject(new Error('there is no database here'))
  const code = await callSvc(words, {
    open: nothing,
    schema: { migrations, onDatabase: nothing },
    start: () => undefined,
    remote: { version: '9.9.9', readMerchantKey: () => undefined, untilStopped: () => AbortSignal.abort() },
    say: (text) => (said += text),
    complain: (text) => (complained += text),
    ...given,
  })
  return { code, said: said.replace(/\n$/, ''), complained: complained.replace(/\n$/, '') }
}

/** One command, or a group of commands, with its help. */
interface FoundCommand {
  /** As in `['merchants', 'add']`. */
  path: string[]
  help: string
  isGroup: boolean
}

/** Every command that help lists, with the groups, which come before theirs. */
export async function everyCommand(path: readonly string[] = []): Promise<FoundCommand[]> {
  const { said: help } = await call([...path, '--help'])
  const listed = [...help.matchAll(/^ {2}([a-z][a-z-]*)(?: .*)?$/gm)].map(([, name = '']) => name)
  const below = listed.filter((name) => name !== 'svc' && name !== 'help')
  const found = await Promise.all(below.map((name) => everyCommand([...path, name])))
  return [{ path: [...path], help, isGroup: below.length > 0 }, ...found.flat()]
}

/** Whether a call is right: the database, the service or the merchant's key is then asked for. */
export async function isRightCall(words: readonly string[]): Promise<boolean> {
  let isReached = false
  const reach = () => {
    isReached = true
    throw new Error('reached')
  }
  const remote = { version: '', readMerchantKey: reach, untilStopped: () => AbortSignal.abort() }
  await call(words, { open: reach, schema: { migrations: [], onDatabase: reach }, start: reach, remote })
  return isReached
}

/** Words of a line as a shell would read them, without redirections and comments. */
export function wordsIn(line: string): string[] {
  const words = line.replace(/ +[<#].*$/, '').matchAll(/"([^"]*)"|(\S+)/g)
  return [...words].map(([, quoted, bare]) => quoted ?? bare ?? '')
}

/** The token in the link that a command shows; '' where it shows none. */
export const tokenIn = (said: string): string => /#(svc_invitation_[\w-]{43})/.exec(said)?.[1] ?? ''

/** Follows the link that a command shows, in a browser of its own, and chooses a password. */
export async function followInvitation(bed: SignInBed, said: string, password: string) {
  const page = bed.browser()
  const answer = await page.post('/api/invitations/accept', { token: tokenIn(said), name: 'Grace', password })
  return { page, answer }
}
