import { startOwnPostgres } from './own-postgres.ts'
import { startService, VAULT_KEYS } from './service-process.ts'
import type { ServiceProcess } from './service-process.ts'

/** Processes of the service on one PostgreSQL server. */
export interface SeveralServices {
  services: readonly ServiceProcess[]
  connectionString: string
  stop: () => Promise<void>
}

/** Starts them one after the other: the first makes the merchant. */
export async function startSeveral(
  folder: string,
  processes: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<SeveralServices> {
  const { connectionString, stop } = await startOwnPostgres(folder)
  const services: ServiceProcess[] = []
  for (let number = 0; number < processes; number += 1) {
    const all = { SVC_VAULT_KEYS: VAULT_KEYS, ...settings }
    services.push(await startService({ folder, number, databaseUrl: connectionString, settings: all }))
  }
  return {
    services,
    connectionString,
    async stop() {
      await Promise.all(services.map((service) => service.stop()))
      await stop()
    },
  }
}

/** Chooses the service for each call: all of them by turns. Returns its port. */
export function byTurns(services: readonly ServiceProcess[]): () => number {
  let turn = 0
  return () => services[turn++ % services.length]?.port ?? 0
}
