import { monotonicClock } from '../../../platform/clocks.ts'
import { startDatabaseClock } from '../../../platform/database/database-clock.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { createNetworkDouble } from './network-double.ts'
import type { NetworkDouble } from './network-double.ts'

/** A service on a double of the network, with a database and a clock of its own. */
export interface NetworkService {
  service: TestService
  double: NetworkDouble
  /** Moves the service's clock on. */
  goForward: (ms: number) => void
  /** How far the clock is ahead, in ms. */
  aheadMs: () => number
  close: () => Promise<void>
}

export async function createNetworkService(): Promise<NetworkService> {
  let aheadMs = 0
  const double = createNetworkDouble()
  const database = await createMigratedDatabase()
  const clock = await startDatabaseClock(database, monotonicClock)
  const timeOfDay = { ...clock, epochMs: () => clock.epochMs() + aheadMs }
  const service = await createTestService({ database, network: double.network, timeOfDay })
  return {
    service,
    double,
    goForward: (ms) => (aheadMs += ms),
    aheadMs: () => aheadMs,
    async close() {
      await service.close()
      await database.close()
    },
  }
}
