import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { runningPostgres } from '../../src/service/platform/database/embedded/running-postgres.ts'
import { startOwnPostgres } from './own-postgres.ts'
import { dataDirOf, startService } from './service-process.ts'

/** What is killed, in words, and how often when nothing else is asked for. */
export const victims = {
  service: { kills: 'kills of the service on its embedded PostgreSQL', rounds: 200 },
  server: { kills: 'kills of the service on a PostgreSQL server', rounds: 200 },
  process: { kills: 'kills of one of two processes of one command', rounds: 20 },
  postgres: { kills: 'immediate restarts of the PostgreSQL server', rounds: 50 },
} as const

export type Victim = keyof typeof victims

/** A service at work, of which one part is killed and comes back. */
interface Killable {
  port: number
  connectionString: string
  /** Resolves once everything runs again. */
  kill: () => Promise<void>
  stop: () => Promise<void>
}

export async function startKillable(victim: Victim, folder: string, programs?: string): Promise<Killable> {
  const isEmbedded = victim === 'service' || victim === 'process'
  const postgres = isEmbedded ? null : await startOwnPostgres(folder, programs)
  const given = {
    folder,
    ...(postgres !== null && { databaseUrl: postgres.connectionString }),
    ...(victim === 'process' && { settings: { SVC_PROCESSES: '2' } }),
  }
  let service = await startService(given)
  const kill = async () => {
    if (victim === 'postgres') return postgres?.restartAtOnce()
    if (victim === 'process') return killOldestOf(service.pid)
    await service.kill()
    service = await startService(given)
  }
  const connectionString = postgres?.connectionString ?? runningPostgres(dataDirOf(folder))
  if (connectionString === null) throw new Error('the service has started without a database')
  return {
    port: service.port,
    connectionString,
    async kill() {
      if (service.hasDied()) throw new Error('the service has ended by itself')
      await kill()
    },
    async stop() {
      await service.stop()
      await postgres?.stop()
    },
  }
}

const SUCCESSOR_TIMEOUT_MS = 30_000

/** Kills one of the processes that a service is made of; resolves once another one has taken its place. */
async function killOldestOf(parent: number): Promise<void> {
  const [oldest, ...others] = processesOf(parent)
  if (oldest === undefined || others.length === 0) throw new Error('the service is not two processes')
  process.kill(oldest, 'SIGKILL')
  for (let waited = 0; waited < SUCCESSOR_TIMEOUT_MS; waited += 50) {
    const now = processesOf(parent)
    if (now.length > others.length && !now.includes(oldest)) return
    await sleep(50)
  }
  throw new Error('no process took the place of the one that was killed')
}

/** Ids of the service's processes, the oldest first. PostgreSQL, which is a child too, does not count. */
function processesOf(parent: number): number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter(Boolean)
  return children.filter((pid) => readCommandOf(pid).includes('dist/service/')).map(Number)
}

/** Empty where the process has ended meanwhile. */
function readCommandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
