import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import { createAuditLog } from './audit-log.ts'
import type { AuditLog } from './audit-log.ts'
import { createChainCheckStore } from './chain-check-store.ts'
import type { ChainState } from './chain-check-store.ts'
import { createCheckChain } from './check-chain.ts'
import { createEventLog } from './event-log.ts'
import type { EventLog, OnSealed } from './event-log.ts'
import { createLiveFeed } from './live/live-feed.ts'
import { createLiveStreams } from './live/live-route.ts'
import { sealEvents } from './seal-events.ts'

interface Needs {
  onSealed: OnSealed
}

export interface EventsApi extends AuditLog, Pick<EventLog, 'head'> {
  /** Whether the chain of events is intact, as far as it was verified. */
  chainState: () => Promise<ChainState>
}

/** The audit log: what was changed, in a chain of hashes. */
export function eventsDomain({ database, log, clock }: Platform, { onSealed }: Needs): Domain<EventsApi> {
  const events = createEventLog(database, onSealed)
  const checks = createChainCheckStore(database)
  const sayWhereLogEnds = async () => {
    const { length, hash } = await events.head()
    log.info({ length, hash: hash.toString('hex') }, 'the audit log ends here')
  }
  const checkChain = createCheckChain({
    log: events,
    store: checks,
    onBroken: (seq, reason) => log.error({ seq, reason }, 'the audit log is not as it was sealed'),
  })
  const feed = createLiveFeed(database, async () => (await events.head()).length)
  const streams = createLiveStreams(feed, clock)
  return {
    api: { ...createAuditLog(database), head: events.head, chainState: checks.state },
    addRoutes: noRoutes,
    addDashboardRoutes: streams.addRoute,
    jobs: [
      { name: 'seal events', everyMs: 200, work: async () => feed.noteLength(await sealEvents(events)) },
      { name: 'verify the audit log', everyMs: 1000, work: checkChain },
      { name: 'tell open dashboards', everyMs: 500, work: () => Promise.all([feed.poll(), streams.beat()]) },
      { name: 'say where the audit log ends', everyMs: 3_600_000, work: sayWhereLogEnds },
    ],
  }
}
