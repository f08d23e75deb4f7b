import { runningPostgres } from '../../src/service/platform/database/embedded/embedded-postgres.ts'
import { startOwnPostgres } from './own-postgres.ts'
import { dataDirOf, startService } from './service-process.ts'

/** What is killed, in words, and how often when nothing else is asked for. */
export const victims = {
  service: { kills: 'kills of the service on its embedded PostgreSQL', rounds: 200 },
  server: { kills: 'kills of the service on a PostgreSQL server', rounds: 200 },
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
  const postgres = victim === 'service' ? null : await startOwnPostgres(folder, programs)
  const given = { folder, ...(postgres !== null && { databaseUrl: postgres.connectionString }) }
  let service = await startService(given)
  const kill = async () => {
    if (victim === 'postgres') return postgres?.restartAtOnce()
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
