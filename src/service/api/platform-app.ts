import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyBaseLogger } from 'fastify'
import type { Check, RouteAccess, GuardedApps } from '../platform/domain.ts'
import { addDocsRoutes } from './docs/docs-routes.ts'
import { createHash, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../platform/errors.ts'
import { withinNetworks } from '../platform/http/callers/sender.ts'
import type { Operation } from '../platform/http/operation.ts'
import type { Metrics } from '../platform/metrics.ts'
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
import * as v from 'valibot'
import { inTime } from '../platform/in-time.ts'
import type { Maintenance } from '../platform/maintenance.ts'
import { answer } from '../platform/http/answers/answer.ts'

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
      frameAccess: createFrameAccess([new URL(config.widgetUrl).origin, ...config.widgetAliases]),
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

interface HealthDeps {
  /** By the name of the dependency. */
  checks: Readonly<Record<string, Check>>
  maintenance: Pick<Maintenance, 'retryAfter'>
  /** Whether this process is about to stop. */
  isDraining: () => boolean
}

type State = 'up' | 'down'

const DEADLINE_MS = 2000

const state = v.picklist(['up', 'down'])
const health = {
  name: 'Health',
  schema: v.strictObject({
    status: v.picklist(['up', 'down', 'maintenance', 'draining']),
    dependencies: v.record(v.string(), state),
  }),
  words: { dependencies: 'What the service needs, by name.' },
  example: { status: 'up', dependencies: { database: 'up' } },
}
const healthOperation: Operation = {
  id: 'getHealth',
  group: 'Service',
  summary: 'What is up and what is down',
  description:
    'For load balancers and monitors: never limited, answered also under overload and in maintenance.',
  key: 'none',
  isAlwaysServed: true,
  answers: [
    { status: 200, words: 'Everything is up.', resource: health },
    { status: 500, words: 'A dependency is down.', resource: health },
    {
      status: 503,
      words:
        'Maintenance: every other operation is refused. Or draining: this process is about to stop and still serves; send what is new to another one.',
      resource: { ...health, example: { status: 'maintenance', dependencies: { database: 'up' } } },
    },
  ],
}

/** `GET /health` (contract §6.6): the state of each dependency; 500 when one is down, 503 in maintenance and before this process stops. */
export function addHealthRoute(app: FastifyInstance, { checks, maintenance, isDraining }: HealthDeps): void {
  const stateOf = Object.entries(checks).map(
    ([name, check]) => [name, shared(() => checked(name, check, app.log))] as const,
  )
  app.get(
    '/health',
    { config: { resourceType: 'health', operation: healthOperation, isRoutine: true } },
    async (_request, reply) => {
      const states = await Promise.all(stateOf.map(async ([name, ask]) => [name, await ask()] as const))
      const dependencies = Object.fromEntries(states)
      if (isDraining()) return answer(reply, 503, 'health', { status: 'draining', dependencies })
      const retryAfter = maintenance.retryAfter()
      if (retryAfter !== null) {
        void reply.header('retry-after', String(retryAfter))
        return answer(reply, 503, 'health', { status: 'maintenance', dependencies })
      }
      const isWell = states.every(([, one]) => one === 'up')
      return answer(reply, isWell ? 200 : 500, 'health', { status: isWell ? 'up' : 'down', dependencies })
    },
  )
}

/** Callers share an answer that is under way, so that many monitors cost as much as one. */
function shared(ask: () => Promise<State>): () => Promise<State> {
  let asking: Promise<State> | undefined
  return () => (asking ??= ask().finally(() => (asking = undefined)))
}

/** The state within two seconds; why it is down goes to the log and to no caller. */
async function checked(name: string, check: Check, log: FastifyBaseLogger): Promise<State> {
  try {
    await inTime(check(), DEADLINE_MS, () => {
      throw new Error(`no answer in ${DEADLINE_MS} ms`)
    })
    return 'up'
  } catch (error) {
    log.error({ err: error, dependency: name }, 'a dependency is down')
    return 'down'
  }
}

interface MetricsDeps {
  metrics: Pick<Metrics, 'text' | 'contentType'>
  /** A bearer token that permits reading. Where none is set, callers on this machine or its network may read. */
  token: string | undefined
}

const metricsOperation: Operation = {
  id: 'getMetrics',
  group: 'Service',
  summary: 'Figures for Prometheus',
  description:
    'With `SVC_METRICS_TOKEN` for who sends it; without, for loopback and private addresses that come by no proxy.',
  key: 'metrics',
  isAlwaysServed: true,
  answers: [{ status: 200, words: "Prometheus' text format.", media: 'text/plain' }],
  errors: ['forbidden'],
}

/** `GET /metrics`, for the operator's eyes. */
function addMetricsRoute(app: FastifyInstance, { metrics, token }: MetricsDeps): void {
  app.get(
    '/metrics',
    { config: { resourceType: 'metrics', operation: metricsOperation, isRoutine: true } },
    async (request, reply) => {
      if (token === undefined) refuseStrangers(request)
      else refuseOthers(request, token)
      return reply.type(metrics.contentType).send(await metrics.text())
    },
  )
}

function refuseOthers({ headers }: FastifyRequest, token: string): void {
  const [scheme, given = ''] = (headers.authorization ?? '').split(' ', 2)
  if (scheme?.toLowerCase() === 'bearer' && timingSafeEqual(digest(given), digest(token))) return
  throw new ServiceError('unauthorized', 'Send SVC_METRICS_TOKEN in the header authorization: Bearer ….')
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** A request that a proxy passed on comes from anywhere, although its own address is near. */
function refuseStrangers(request: FastifyRequest): void {
  const isPassedOn = Object.keys(request.headers).some((name) => OF_PROXIES.test(name))
  if (!isPassedOn && isNear(request.socket.remoteAddress ?? '')) return
  throw new ServiceError(
    'forbidden',
    'Figures are for this machine and its network. Set SVC_METRICS_TOKEN to read them from elsewhere.',
  )
}

/** What proxies and CDNs write into what they pass on, by the names that are in use (RFC 7239, RFC 9110 §7.6.3). */
const OF_PROXIES =
  /^(?:forwarded|via|x-forwarded(?:-.+)?|x-original-.+|x-(?:real|client|cluster-client)-ip|(?:true|fastly)-client-ip|cf-.+|cdn-.+|x-envoy-.+|x-amzn?-.+|x-azure-.+|x-appengine-.+|x-cloud-trace-context|x-proxy(?:user)?-.+)$/

/** Loopback (RFC 1122, RFC 4291), private (RFC 1918, RFC 4193) and link-local addresses (RFC 3927, RFC 4291). */
const isNear = withinNetworks([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
])
