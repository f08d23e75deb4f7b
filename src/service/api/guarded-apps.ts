import type { FastifyInstance } from 'fastify'
import { createAnswerOnce } from '../platform/idempotency/answer-once.ts'
import type { AnswerOnce } from '../platform/idempotency/answer-once.ts'
import { createRequestStore } from '../platform/idempotency/request-store.ts'
import { workInBatches } from '../platform/jobs/batches.ts'
import type { Job } from '../platform/jobs/job.ts'
import { PUT_RIGHT_MS, whenSteady } from '../platform/jobs/when-steady.ts'
import type { Platform } from '../platform/platform.ts'
import { createRateWindowStore } from '../platform/rate-limits/rate-window-store.ts'
import type { Rate } from '../platform/rate-limits/rate-limit.ts'
import { createSharedLimit } from '../platform/rate-limits/shared-limit.ts'
import { traceRequests } from '../platform/tracing/trace-requests.ts'
import { createApp } from '../platform/http/app.ts'
import type { RawRequest } from '../platform/http/app.ts'
import { admitRequests } from '../platform/http/callers/admission.ts'
import { memoryShareOfProcess, watchOverload } from '../platform/http/callers/overload.ts'
import { refuseInMaintenance } from '../platform/http/callers/refuse-in-maintenance.ts'
import type { CallerKey } from '../platform/http/callers/sender.ts'
import { createCountWrongKey } from '../platform/http/callers/wrong-keys.ts'
import type { CountWrongKey } from '../platform/http/callers/wrong-keys.ts'

/** The apps of this process: the merchants' API and the dashboard. Each stands behind the same checks. */
export interface GuardedApps {
  /** An app without routes: metrics, maintenance, rate limits by address, and overload come before every route. */
  create: (options?: { rewriteUrl: (request: RawRequest) => string }) => FastifyInstance
  /** Wrong keys, tokens and passwords of an address count together, in all apps and processes. */
  countWrongKey: CountWrongKey
  answerOnce: AnswerOnce
  jobs: readonly Job[]
}

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
  const requestStore = createRequestStore(database)
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
  const forgetting = workInBatches([requestStore.forgetOld])
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
    countWrongKey: createCountWrongKey(wrongKeys),
    answerOnce: createAnswerOnce({ store: requestStore, vault: textVault }),
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
