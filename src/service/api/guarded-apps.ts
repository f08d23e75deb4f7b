import type { GuardedApps } from '../platform/domain.ts'
import { answerIdempotently, forgetOldRequests } from '../platform/idempotency.ts'
import { workInBatches } from '../platform/jobs/batches.ts'
import { PUT_RIGHT_MS, whenSteady } from '../platform/jobs/when-steady.ts'
import type { Platform } from '../platform/platform.ts'
import { createRateWindowStore, createSharedLimit } from '../platform/rate-limits.ts'
import type { Rate } from '../platform/rate-limits.ts'
import { traceRequests } from '../platform/tracing.ts'
import { createApp } from '../platform/http/app.ts'
import {
  admitRequests,
  memoryShareOfProcess,
  watchOverload,
  refuseInMaintenance,
  countShared,
} from '../platform/http/callers/admission.ts'
import type { CallerKey } from '../platform/http/callers/sender.ts'

/** As many callers as this of one IPv6 /48 may send cards at once: it may be one attacker's, or a carrier's with many phones. */
const CALLERS_OF_SITE = 8

const times = (factor: number, { perSecond, burst }: Rate): Rate => ({
  perSecond: factor * perSecond,
  burst: factor * burst,
})

/** `countTimeoutMs`: how long the database is waited for when it counts for a rate limit. */
export function createGuardedApps(platform: Platform, countTimeoutMs: number | undefined): GuardedApps {
  const { config, database, timeOfDay, textVault, metrics, tracer, maintenance, clock, log } = platform
  const { rateLimits: limits } = config
  const rateWindows = createRateWindowStore(database)
  const onFault = (error: unknown) =>
    log.warn({ err: error }, 'rate limits are counted by each process alone')
  const shared = {
    store: rateWindows,
    clock,
    onFault,
    ...(countTimeoutMs !== undefined && { timeoutMs: countTimeoutMs }),
  }
  const cards = createSharedLimit<CallerKey>({ name: 'cards', rate: limits.cardsPerAddress, ...shared })
  const cardsOfSite = createSharedLimit<CallerKey>({
    name: 'cards of site',
    rate: times(CALLERS_OF_SITE, limits.cardsPerAddress),
    ...shared,
  })
  const wrongKeys = createSharedLimit<CallerKey>({
    name: 'wrong keys',
    rate: limits.wrongKeysPerAddress,
    ...shared,
  })
  const forgetting = workInBatches([() => forgetOldRequests(database)])
  return {
    create(options) {
      const app = createApp(log, config.trustedProxies, options)
      metrics.watchRequests(app)
      if (tracer !== null) traceRequests(app, tracer)
      refuseInMaintenance(app, maintenance)
      const isOverloaded = watchOverload(app, {
        waiting: () => database.connections().waiting,
        memoryShare: memoryShareOfProcess,
      })
      admitRequests(app, { limits, cards, cardsOfSite, isOverloaded, clock })
      return app
    },
    countWrongKey: ({ sender }) => countShared(wrongKeys, sender.caller),
    answerIdempotently: (exchange, perform) => answerIdempotently({ database, textVault }, exchange, perform),
    jobs: [
      {
        name: 'forget kept answers',
        everyMs: 3_600_000,
        work: whenSteady(timeOfDay, PUT_RIGHT_MS, forgetting.work),
        abort: forgetting.abort,
      },
      { name: 'forget ended rate windows', everyMs: 60_000, work: rateWindows.forgetEnded },
      { name: "follow the database's clock", everyMs: 1000, work: timeOfDay.refresh },
      { name: 'follow maintenance', everyMs: 500, work: maintenance.refresh },
    ],
  }
}
