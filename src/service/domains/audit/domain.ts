import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import { checkChain, sealEvents } from './audit-log.ts'
import type { ChainHead } from './chain.ts'
import { readChainState, readHead, sealStatement } from './chain-store.ts'
import type { ChainState, OnSealed } from './chain-store.ts'
import { createLiveFeed } from './live-feed.ts'
import { createLiveStreams } from './live-streams.ts'
import { listAudit } from './listing.ts'
import type { EventFilter, EventPage } from './listing.ts'

interface AuditApi {
  /** A page of a merchant's audit log. */
  page: (merchantId: string, filter: EventFilter) => Promise<EventPage>
  /** Where the chain ends. */
  head: () => Promise<ChainHead>
  /** Whether the chain is intact, as far as it was verified. */
  chainState: () => Promise<ChainState>
}

/** The audit log: events in a chain of hashes, verified again and again, and shown live on dashboards. */
export function auditDomain(
  { database, log, clock }: Platform,
  { onSealed }: { onSealed: OnSealed },
): Domain<AuditApi> {
  const head = () => readHead(database)
  const sealing = sealStatement(onSealed)
  const onBroken = (seq: number, reason: string) =>
    log.error({ seq, reason }, 'the audit log is not as it was sealed')
  const sayWhereLogEnds = async () => {
    const { length, hash } = await head()
    log.info({ length, hash: hash.toString('hex') }, 'the audit log ends here')
  }
  const feed = createLiveFeed(database, async () => (await head()).length)
  const streams = createLiveStreams(feed, clock)
  return {
    api: {
      page: (merchantId, filter) => listAudit(database, merchantId, filter),
      head,
      chainState: () => readChainState(database),
    },
    addRoutes: noRoutes,
    addDashboardRoutes: streams.addRoute,
    jobs: [
      {
        name: 'seal events',
        everyMs: 200,
        work: async () => feed.noteLength(await sealEvents(database, sealing)),
      },
      { name: 'verify the audit log', everyMs: 1000, work: () => checkChain(database, onBroken) },
      { name: 'tell open dashboards', everyMs: 100, work: () => Promise.all([feed.poll(), streams.beat()]) },
      { name: 'say where the audit log ends', everyMs: 3_600_000, work: sayWhereLogEnds },
    ],
  }
}
