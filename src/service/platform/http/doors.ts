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
import { admitRequests } from './admission.ts'
import { createApp } from './app.ts'
import { createAuthenticate } from './authenticate.ts'
import type { KeyHolders } from './authenticate.ts'
import { createFrameAccess } from './frame-access.ts'
import { addHealthRoute } from './health-route.ts'
import { watchOverload } from './overload.ts'

interface Doors {
  app: FastifyInstance
  /** What the domains' routes need. */
  access: RouteAccess
  /** Every route of `app`, with what it says of itself. */
  routes: readonly Route[]
  jobs: readonly Job[]
}

interface Needs {
  merchantKeys: KeyHolders<{ id: string; preAuth: boolean }>
  version: string
}

/** The HTTP server with what stands before every route, and the routes that are of no domain. */
export function openDoors(platform: Platform, { merchantKeys, version }: Needs): Doors {
  const { config, database, clock, timeOfDay, textVault, metrics } = platform
  const limits = config.rateLimits
  const app = createApp(platform.log, config.trustedProxies)
  const routes = watchRoutes(app)
  metrics.watchRequests(app)
  const isOverloaded = watchOverload(app, () => database.connections().waiting)
  admitRequests(app, { limits, isOverloaded, clock })
  const requestStore = createRequestStore(database)
  addHealthRoute(app, { database: () => database.check() })
  addMetricsRoute(app, { metrics, token: config.metricsToken })
  addReferenceRoutes(app, { routes, version, baseUrl: config.baseUrl })
  return {
    app,
    access: {
      authenticate: createAuthenticate({ keys: merchantKeys, limits, clock }),
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
      { name: "follow the database's clock", everyMs: 1000, work: timeOfDay.refresh },
    ],
  }
}
