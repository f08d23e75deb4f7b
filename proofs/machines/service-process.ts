import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'

/** The master key of the proofs' services: all that use one database need the same. */
export const VAULT_KEYS = `proof:${Buffer.alloc(32, 7).toString('base64')}`

/** First of the ports that the proofs' services take; the tests in browsers take those below. */
export const FIRST_PORT = Number(process.env['SVC_TEST_FIRST_PORT'] ?? '18080') + 20

/** The built service, running as a process of its own. */
export interface ServiceProcess {
  port: number
  pid: number
  /** Whether it has ended although nobody stopped it. */
  hasDied: () => boolean
  kill: () => Promise<void>
  /** Lets it finish what it does; throws unless it ends well. */
  stop: () => Promise<void>
}

export interface ServiceStart {
  /** Holds its data folder `service-N` and its log. */
  folder: string
  /** Which of several it is; the first is 0. */
  number?: number
  /** Left out: a PostgreSQL of its own. */
  databaseUrl?: string
  settings?: Readonly<Record<string, string>>
  /** Where its standard output and standard error go, in place of its log; it is closed here once the service has it. */
  output?: number
  /** A command to run it in, such as one that makes a container; its channel to this process is passed on. */
  inside?: readonly string[]
}

/** Starts it and waits until it is ready. */
export async function startService(start: ServiceStart): Promise<ServiceProcess> {
  const { folder, number = 0, databaseUrl, settings = {}, output, inside = [] } = start
  const port = FIRST_PORT + number
  const logFile = join(folder, `service-${number}.log`)
  const log = output ?? openSync(logFile, 'a')
  const program = `dist/service/${databaseUrl === undefined ? 'sandbox' : 'main'}.js`
  const [command, ...parameters] = [...inside, process.execPath, program]
  const child = spawn(command, parameters, {
    env: {
      ...process.env,
      SVC_PORT: String(port),
      SVC_DASHBOARD_PORT: '0',
      SVC_SANDBOX_BANK_PORT: '0',
      SVC_DATA_DIR: dataDirOf(folder, number),
      SVC_LOG_LEVEL: 'warn',
      ...(databaseUrl !== undefined && { SVC_DATABASE_URL: databaseUrl }),
      ...settings,
    },
    stdio: ['ignore', log, log, 'ipc'],
  })
  closeSync(log)
  let isToEnd = false
  const ended = once(child, 'exit')
  const isReady = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)])
  if (!isReady) {
    const said = output === undefined ? readFileSync(logFile, 'utf8').slice(-1000) : 'see its output'
    throw new Error(`the service did not start: ${said}`)
  }
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    isToEnd = true
    // The command that it runs in does not pass SIGTERM on; closing the channel has the same effect.
    if (signal === 'SIGTERM' && inside.length > 0) child.disconnect()
    else child.kill(signal)
    await ended
  }
  return {
    port,
    pid: child.pid ?? 0,
    hasDied: () => !isToEnd && (child.exitCode !== null || child.signalCode !== null),
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGTERM')
      if (child.exitCode !== 0) throw new Error(`the service ended with ${String(child.exitCode)}`)
    },
  }
}

export function dataDirOf(folder: string, number = 0): string {
  return join(folder, `service-${number}`)
}

const Demo = v.object({
  public_key: v.string(),
  secret_key: v.string(),
  client_id: v.string(),
  client_secret: v.string(),
})

/** A merchant's keys. */
export interface Keys {
  publicKey: string
  secretKey: string
}

/** The keys of the merchant that the first service has made on its empty database. */
export function keysIn(folder: string): Keys {
  const { public_key: publicKey, secret_key: secretKey } = demoIn(folder)
  return { publicKey, secretKey }
}

/** That merchant's client, which asks for access tokens. */
export function clientIn(folder: string): { clientId: string; clientSecret: string } {
  const { client_id: clientId, client_secret: clientSecret } = demoIn(folder)
  return { clientId, clientSecret }
}

function demoIn(folder: string): v.InferOutput<typeof Demo> {
  return v.parse(Demo, JSON.parse(readFileSync(join(dataDirOf(folder), 'demo.json'), 'utf8')))
}
