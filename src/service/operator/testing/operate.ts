import { readConfig } from '../../config.ts'
import type { TestService } from '../../testing/test-service.ts'
import type { Command } from '../command.ts'

interface Entered {
  environment?: Record<string, string | undefined>
  /** What the operator enters on standard input. */
  secret?: string
  /** Called in place of waiting. */
  sleep?: () => Promise<void>
}

/** Runs a command on a test service's database; returns its exit code and the lines that it wrote. */
export async function operate(
  { database, merchants, oauth, users }: TestService,
  command: Command,
  parameters: string[],
  { environment = {}, secret = '', sleep = () => Promise.resolve() }: Entered = {},
): Promise<{ code: number; said: string[] }> {
  const said: string[] = []
  const context = {
    config: readConfig(environment),
    database,
    merchants,
    clients: oauth.clients,
    users: users.administration,
    say: (text: string) => said.push(text),
    readSecret: () => Promise.resolve(secret),
    sleep,
  }
  return { code: await command.run(context, parameters), said }
}
