import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Check, RouteAccess, GuardedApps } from '../platform/domain.ts'
import { addDocsRoutes } from './docs/docs-routes.ts'
import { addMetricsRoute } from './metrics-route.ts'
import { createHash } from 'node:crypto'
import type { Operation } from '../platform/http/operation.ts'
import { openApiDocument } from './openapi/document.ts'
import type { Route } from './openapi/routes.ts'
import { watchRoutes } from './openapi/routes.ts'
import type { Platform } from '../platform/platform.ts'
import { authorize as authorizeBy } from '../platform/http/callers/access-token.ts'
import type { VerifyAccessToken } from '../platform/http/callers/access-token.ts'
import {
  authenticate as authenticateBy,
  identifyBeforeBody,
  rememberedForRequest,
} from '../platform/http/callers/authenticate.ts'
import type { KeyHolders, KeyKind } from '../platform/http/callers/authenticate.ts'
import { createRateLimit } from '../platform/rate-limits.ts'
import type { Scope } from '../../contract/api/scope.ts'
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
  const byKey = { keys, countWrongKey, requests: createRateLimit(limits.perKey, clock) }
  const authenticate = rememberedForRequest((request, kind: KeyKind) => authenticateBy(byKey, request, kind))
  const byToken = { verify, countWrongKey, requests: createRateLimit(limits.perKey, clock) }
  const authorize = rememberedForRequest((request, scope: Scope) => authorizeBy(byToken, request, scope))
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

interface Parts {
  routes: readonly Route[]
  version: string
  baseUrl: string
  oauthIssuer: string | undefined
}

const operation: Operation = {
  id: 'getOpenApi',
  group: 'Service',
  summary: 'The documentation for machines',
  key: 'none',
  isReference: true,
  answers: [{ status: 200, words: 'An OpenAPI 3.1 document.', media: 'application/json' }],
}

/** `GET /openapi.json`: what the routes say of themselves, once all of them are there. */
function addDocumentRoute(app: FastifyInstance, { routes, ...settings }: Parts): void {
  let made: { body: Buffer; etag: string } | undefined
  app.get('/openapi.json', { config: { operation } }, (request, reply) => {
    if (made === undefined) {
      const body = Buffer.from(JSON.stringify(openApiDocument(routes, settings), null, 1))
      made = { body, etag: `"${createHash('sha256').update(body).digest('base64')}"` }
    }
    void reply.type('application/json; charset=utf-8').header('access-control-allow-origin', '*')
    return sendTagged(request, reply, made)
  })
}

/** Answers with a text that a browser keeps, or with 304 where it has it already. */
function sendTagged(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: { body: Buffer; etag: string },
): FastifyReply {
  void reply.headers({ 'cache-control': 'no-cache', etag })
  return headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(body)
}
