import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs'
import { basename, join } from 'node:path'
import { postgresAccount } from '../../../src/service/platform/database/embedded/postgres-location.ts'

/** Where Debian's packages put the programs of a replicated PostgreSQL. */
const PROGRAMS = {
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
} as const

type Package = keyof typeof PROGRAMS

/** Where Debian's PostgreSQL puts its sockets. */
const SOCKETS = '/var/run/postgresql'

/** Why nothing can be replicated here; null where it can. */
export function whyNotReplicated(): string | null {
  const missing = Object.entries(PROGRAMS).flatMap(([name, program]) => (existsSync(program) ? [] : [name]))
  if (missing.length > 0) return `not installed (Debian: apt-get install ${missing.join(' ')})`
  return process.getuid?.() === 0 || mayWrite(SOCKETS) ? null : `this account may not write to ${SOCKETS}`
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** A program that runs until it is stopped. */
export interface Program {
  pid: number
  /** Resolves once it has ended. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
}

interface Start {
  folder: string
  name?: string
  environment?: Readonly<Record<string, string>>
}

/** Starts a program under PostgreSQL's account, with its log in `folder` and none of our environment variables. */
export function startProgram(
  of: Package,
  parameters: readonly string[],
  { folder, name = of, environment = {} }: Start,
): Program {
  const log = openSync(join(folder, `${name}.log`), 'a')
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: folder, LANG: 'C.UTF-8', ...environment }
  const child = spawn(PROGRAMS[of], parameters, { ...postgresAccount(), env, stdio: ['ignore', log, log] })
  closeSync(log)
  const { pid } = child
  if (pid === undefined) throw new Error(`${basename(PROGRAMS[of])} could not be started`)
  const ended = once(child, 'exit')
  return {
    pid,
    async end(signal) {
      child.kill(signal)
      await ended
    },
  }
}
