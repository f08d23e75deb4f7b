import type { Config } from '../config.ts'
import { locateDatabase } from '../open-database.ts'
import type { DatabaseSource } from '../open-database.ts'
import { monotonicClock } from '../platform/clocks.ts'
import type { RunningService } from '../start-service.ts'
import { warnAtStart } from '../warn-at-start.ts'
import { startProcessGroup } from './process-group.ts'
import { openProcessLog } from './process-log.ts'

/**
 * Starts several processes of the service, each a full one, which share the ports; a database of their own is started once and serves
 * them all. `leaveDataDir` is called at last when they have stopped, also where the start fails.
 */
export async function startProcesses(
  config: Config,
  source: DatabaseSource,
  leaveDataDir: () => void,
): Promise<RunningService> {
  const cleanups: (() => unknown)[] = [leaveDataDir]
  const stop = async () => {
    for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
  }
  try {
    const { log } = openProcessLog(config.logLevel)
    warnAtStart(config, log)
    const { connectionString } = await locateDatabase(source, (close) => cleanups.push(close), log)
    const group = await startProcessGroup({
      count: config.processes,
      settings: typeof source === 'string' ? {} : { SVC_DATABASE_URL: connectionString },
      log,
      clock: monotonicClock,
    })
    log.info({ processes: config.processes }, 'all processes are ready')
    process.send?.('ready')
    return { drain: group.end, stop }
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
}
