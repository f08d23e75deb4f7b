import { readConfig } from '../../config.ts'
import { migrations } from '../../platform/database/migrations.ts'
import type { TestService } from '../../testing/test-service.ts'
import type { CommandContext } from '../command.ts'
import { callSvc } from '../svc-program.ts'
import type { Surroundings } from '../svc-program.ts'

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
  const context = { database, merchants, clients: oauth.clients, users: administration }
  return operateOn(context, command, parameters, entered)
}

/** The same with parts of a service alone. */
export function operateOn(
  parts: Pick<CommandContext, 'database' | 'merchants' | 'clients' | 'users'>,
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
