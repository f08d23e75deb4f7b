import type { FastifyInstance } from 'fastify'
import type { Check, RouteAccess, GuardedApps } from '../platform/domain.ts'
import { addDocsRoutes } from './docs/docs-routes.ts'
import { addMetricsRoute } from './metrics-route.ts'
import { addDocumentRoute } from './openapi/document-route.ts'
import { watchRoutes } from './openapi/routes.ts'
import type { Route } from './openapi/routes.ts'
import type { Platform } from '../platform/platform.ts'
import { createAuthorize } from '../platform/http/callers/access-token.ts'
import type { VerifyAccessToken } from '../platform/http/callers/access-token.ts'
import {
  createAuthenticate,
  identifyBeforeBody,
  rememberedForRequest,
} from '../platform/http/callers/authenticate.ts'
import type { KeyHolders } from '../platform/http/callers/authenticate.ts'
import { limitWastedWork } from '../platform/http/callers/wasted-work.ts'
import { createFrameAccess } from '../platform/http/callers/frame-access.ts'
import { addHealthRoute } from './health-route.ts'

interface PlatformApp {
  app: FastifyInstance
  /** What the domains' routes need. */
  access: RouteAccess
  /** Every route of `app`, with its description for the OpenAPI document. */
  routes: readonly Route[]
  /** From now on `/health` says that this process is about to stop. */
  announceStop: () => void
}

interface Merchant {
  id: string
  preAuth: boolean
}

interface Needs {
  apps: GuardedApps
  merchantKeys: KeyHolders<Merchant>
  verifyAccessToken: VerifyAccessToken
  version: string
  /** Of what the domains need outside of the service, by name. */
  checks: Readonly<Record<string, Check>>
}

/** The app of the merchants' API, to which domains add their routes, with the routes of no domain: health, metrics, the API's reference. */
export function createPlatformApp(platform: Platform, needs: Needs): PlatformApp {
  const { config, database, metrics, maintenance, clock } = platform
  const { apps, merchantKeys: keys, verifyAccessToken: verify } = needs
  const { countWrongKey, answerIdempotently } = apps
  const { rateLimits: limits } = config
  const app = apps.create()
  const authenticate = rememberedForRequest(createAuthenticate({ keys, limits, countWrongKey, clock }))
  const authorize = rememberedForRequest(createAuthorize({ verify, limits, countWrongKey, clock }))
  identifyBeforeBody(app, { authenticate, authorize })
  limitWastedWork(app, { limits, clock })
  const routes = watchRoutes(app)
  let isDraining = false
  const checks = { database: database.check, ...needs.checks }
  addHealthRoute(app, { checks, maintenance, isDraining: () => isDraining })
  addMetricsRoute(app, { metrics, token: config.metricsToken })
  addDocumentRoute(app, { routes, version: needs.version, ...config })
  addDocsRoutes(app, { routes, served: config })
  return {
    app,
    access: {
      authenticate,
      authorize,
      countWrongKey,
      answerIdempotently,
      frameAccess: createFrameAccess(new URL(config.widgetUrl).origin),
    },
    routes,
    announceStop() {
      isDraining = true
    },
  }
}
