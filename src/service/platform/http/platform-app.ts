import type { FastifyInstance } from 'fastify'
import type { RouteAccess } from '../domain.ts'
import { createAnswerOnce } from '../idempotency/answer-once.ts'
import { createRequestStore } from '../idempotency/request-store.ts'
import type { Job } from '../jobs/repeat.ts'
import { PUT_RIGHT_MS, whenSteady } from '../jobs/when-steady.ts'
import { addMetricsRoute } from '../metrics/metrics-route.ts'
import { addReferenceRoutes } from '../openapi/reference-routes.ts'
import { watchRoutes } from '../openapi/routes.ts'
import type { Route } from '../openapi/routes.ts'
import type { Platform } from '../platform.ts'
import { createRateWindowStore } from '../rate-limits/rate-window-store.ts'
import type { RateWindowStore } from '../rate-limits/rate-window-store.ts'
import { createSharedLimit } from '../rate-limits/shared-limit.ts'
import { createAuthorize } from './callers/access-token.ts'
import type { VerifyAccessToken } from './callers/access-token.ts'
import { admitRequests } from './callers/admission.ts'
import { createApp } from './app.ts'
import { createAuthenticate } from './callers/authenticate.ts'
import type { KeyHolders } from './callers/authenticate.ts'
import { createFrameAccess } from './callers/frame-access.ts'
import { refuseInMaintenance } from './callers/refuse-in-maintenance.ts'
import { addHealthRoute } from './health-route.ts'
import type { Check } from './health-route.ts'
import { createCountWrongKey } from './callers/wrong-keys.ts'
import { memoryShareOfProcess, watchOverload } from './callers/overload.ts'

interface PlatformApp {
  app: FastifyInstance
  /** What the domains' routes need. */
  access: RouteAccess
  /** Every route of `app`, with its description for the OpenAPI document. */
  routes: readonly Route[]
  jobs: readonly Job[]
}

interface Merchant {
  id: string
  preAuth: boolean
}

interface Needs {
  merchantKeys: KeyHolders<Merchant>
  verifyAccessToken: VerifyAccessToken
  version: string
  /** Of what the domains need outside of the service, by name. */
  checks: Readonly<Record<string, Check>>
  /** How long the database is waited for when it counts for a rate limit, in ms. */
  countTimeoutMs?: number | undefined
}

/** The app that domains add their routes to: the checks before every route, and the routes of no domain (health, metrics, the API's reference). */
export function createPlatformApp(platform: Platform, needs: Needs): PlatformApp {
  const { config, database, timeOfDay, textVault, metrics, maintenance } = platform
  const app = createApp(platform.log, config.trustedProxies)
  const routes = watchRoutes(app)
  metrics.watchRequests(app)
  refuseInMaintenance(app, maintenance)
  const rateWindows = createRateWindowStore(database)
  const callers = limitRequests(app, platform, needs, rateWindows)
  const requestStore = createRequestStore(database)
  addHealthRoute(app, { checks: { database: database.check, ...needs.checks }, maintenance })
  addMetricsRoute(app, { metrics, token: config.metricsToken })
  addReferenceRoutes(app, { routes, version: needs.version, ...config })
  return {
    app,
    access: {
      ...callers,
      answerOnce: createAnswerOnce({ store: requestStore, vault: textVault }),
      frameAccess: createFrameAccess(new URL(config.widgetUrl).origin),
    },
    routes,
    jobs: [
      {
        name: 'forget kept answers',
        everyMs: 3_600_000,
        work: whenSteady(timeOfDay, PUT_RIGHT_MS, requestStore.forgetOld),
      },
      { name: 'forget ended rate windows', everyMs: 60_000, work: rateWindows.forgetEnded },
      { name: "follow the database's clock", everyMs: 1000, work: timeOfDay.refresh },
      { name: 'follow maintenance', everyMs: 500, work: maintenance.refresh },
    ],
  }
}

/** The checks before every route: rate limits and overload; returns those that find whose a request is. */
function limitRequests(
  app: FastifyInstance,
  { config, database, clock, log }: Platform,
  { merchantKeys: keys, verifyAccessToken: verify, countTimeoutMs }: Needs,
  store: RateWindowStore,
): Pick<RouteAccess, 'authenticate' | 'authorize' | 'countWrongKey'> {
  const limits = config.rateLimits
  const onFault = (error: unknown) =>
    log.warn({ err: error }, 'rate limits are counted by each process alone')
  const shared = { store, clock, onFault, ...(countTimeoutMs !== undefined && { timeoutMs: countTimeoutMs }) }
  const cards = createSharedLimit({ name: 'cards', rate: limits.cardsPerAddress, ...shared })
  const wrongKeys = createSharedLimit({ name: 'wrong keys', rate: limits.wrongKeysPerAddress, ...shared })
  const isOverloaded = watchOverload(app, {
    waiting: () => database.connections().waiting,
    memoryShare: memoryShareOfProcess,
  })
  admitRequests(app, { limits, cards, isOverloaded, clock })
  const countWrongKey = createCountWrongKey(wrongKeys)
  return {
    authenticate: createAuthenticate({ keys, limits, countWrongKey, clock }),
    authorize: createAuthorize({ verify, limits, countWrongKey, clock }),
    countWrongKey,
  }
}
