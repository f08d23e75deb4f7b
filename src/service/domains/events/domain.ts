import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import { createEventLog } from './event-log.ts'
import type { EventLog, OnSealed } from './event-log.ts'
import { sealEvents } from './seal-events.ts'

interface Needs {
  onSealed: OnSealed
}

/** The audit log: what was changed, in a chain of hashes. */
export function eventsDomain({ database, log }: Platform, { onSealed }: Needs): Domain<EventLog> {
  const events = createEventLog(database, onSealed)
  const sayWhereLogEnds = async () => {
    const { length, hash } = await events.head()
    log.info({ length, hash: hash.toString('hex') }, 'the audit log ends here')
  }
  return {
    api: events,
    addRoutes: noRoutes,
    jobs: [
      { name: 'seal events', everyMs: 200, work: () => sealEvents(events) },
      { name: 'say where the audit log ends', everyMs: 3_600_000, work: sayWhereLogEnds },
    ],
  }
}
