import { setTimeout as sleep } from 'node:timers/promises'
import { startOwnPostgres } from './own-postgres.ts'
import { startService } from './service-process.ts'
import type { ServiceProcess } from './service-process.ts'
import { byTurns } from './several-services.ts'
import { VAULT_KEYS } from './vault-keys.ts'

/** Processes of the service on one PostgreSQL server, which goes on running while they are killed. */
export interface RestartableServices {
  connectionString: string
  /** The service that takes the next call; 0 while there is none. */
  port: () => number
  /** Starts this many services, none of which may run yet. */
  start: (processes: number) => Promise<void>
  /** Kills one after the other, with pauses of up to this long. Returns how many there were. */
  killAll: (maxBetweenMs: number) => Promise<number>
  stop: () => Promise<void>
}

/** The address that access tokens are made for: the same at all processes. */
const BASE_URL = 'http://localhost:8080'

export async function startRestartable(folder: string): Promise<RestartableServices> {
  const { connectionString, stop } = await startOwnPostgres(folder)
  const running: ServiceProcess[] = []
  const settings = { SVC_VAULT_KEYS: VAULT_KEYS, SVC_BASE_URL: BASE_URL }
  return {
    connectionString,
    port: byTurns(running),
    async start(processes) {
      const starts = Array.from({ length: processes }, (_, number) =>
        startService({ folder, number, databaseUrl: connectionString, settings }),
      )
      running.push(...(await Promise.all(starts)))
    },
    async killAll(maxBetweenMs) {
      let kills = 0
      for (;;) {
        const [next] = running
        if (next === undefined) return kills
        if (next.hasDied()) throw new Error('a service has ended by itself')
        await next.kill()
        running.shift()
        kills += 1
        if (running.length > 0) await sleep(Math.random() * maxBetweenMs)
      }
    },
    async stop() {
      await Promise.all(running.map((service) => service.stop()))
      await stop()
    },
  }
}
