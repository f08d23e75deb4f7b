import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { permits } from '../../../contract/dashboard/people/permission.ts'
import type { GuardedApps, DashboardAccess, MerchantAccess } from '../../platform/domain.ts'
import { ServiceError } from '../../platform/errors.ts'
import { actorOf, notSignedIn } from '../../platform/http/callers/session.ts'
import type { FindSession, Session } from '../../platform/http/callers/session.ts'
import { limitWastedWork } from '../../platform/http/callers/wasted-work.ts'
import type { Platform } from '../../platform/platform.ts'
import { answeredPath } from './dashboard-files.ts'
import { checkPermissions, watchPermissions } from './permissions.ts'
import type { PermittedRoute, SessionOfRequest } from './permissions.ts'
import { addEvent } from '../../platform/events.ts'
import type { NewEvent } from '../../platform/events.ts'
import { sensitiveIn } from '../../platform/secrets/secret-in-text.ts'
import { isSafe, refuseForgedRequests } from './refuse-forged-requests.ts'
import { addSecurityHeaders } from './security-headers.ts'

/** The dashboard's app, before domains have added their routes. */
export interface DashboardApp {
  app: FastifyInstance
  /** Every route of `app`, with what a person needs for it. */
  routes: readonly PermittedRoute[]
  /** For the routes of the REST API. */
  merchantAccess: MerchantAccess
  /** For the dashboard's own routes. */
  access: DashboardAccess
}

interface DashboardAppDeps {
  apps: GuardedApps
  findSession: FindSession
  /** The same, but does not extend the session's idle time. */
  recheckSession: FindSession
  /** A merchant as it is now. */
  readMerchant: (id: string) => Promise<{ id: string; preAuth: boolean } | null>
}

/** Makes the dashboard's app: the checks of every app, then headers, forged requests, the session and permissions. */
export function createDashboardApp(platform: Platform, deps: DashboardAppDeps): DashboardApp {
  const { config, clock } = platform
  const { apps, findSession, recheckSession } = deps
  const app = apps.create({ rewriteUrl: answeredPath })
  const routes = watchPermissions(app)
  addSecurityHeaders(app, config.dashboardUrl)
  refuseForgedRequests(app, config.dashboardUrl)
  const limits = config.rateLimits
  const sessionOf = checkPermissions(app, { findSession, recheckSession, limits, clock })
  limitWastedWork(app, { limits, clock })
  recordActs(app, platform, sessionOf)
  return {
    app,
    routes,
    merchantAccess: createMerchantAccess(deps, sessionOf),
    access: {
      sessionOf: (request) => requireSession(sessionOf(request)),
      recheckSession,
      countWrongKey: apps.countWrongKey,
    },
  }
}

/** On the routes of the REST API, a session stands in for the secret key, and for an access token with every scope. */
function createMerchantAccess(
  { apps, readMerchant }: DashboardAppDeps,
  sessionOf: SessionOfRequest,
): MerchantAccess {
  return {
    async authenticate(request, kind) {
      if (kind === 'public') throw new ServiceError('forbidden', 'No page of a merchant asks the dashboard.')
      const { merchantId, user, role } = requireSession(sessionOf(request))
      const merchant = await readMerchant(merchantId)
      if (merchant === null) throw notSignedIn()
      return { ...merchant, userId: user.id, readsOnly: !permits(role, 'change') }
    },
    authorize(request) {
      const session = requireSession(sessionOf(request))
      return Promise.resolve({ merchantId: session.merchantId, clientId: actorOf(session) })
    },
    answerIdempotently: apps.answerIdempotently,
  }
}

/** Routes with a permission always have a session. */
function requireSession(session: Session | null): Session {
  if (session === null) throw new Error('a route asks who is signed in, and is open to all')
  return session
}

/**
 * Adds an event for each request of a person that may change something: who, from where, what, and how it was answered. The
 * event is written before the answer leaves. If that fails, the change is done already, so the answer stays and the log gets
 * the same facts. docs/decisions.md says why the domains write events of their own, too.
 */
function recordActs(
  app: FastifyInstance,
  { database, createId }: Pick<Platform, 'database' | 'createId'>,
  sessionOf: SessionOfRequest,
): void {
  app.addHook('onSend', async (request, reply) => {
    const session = isSafe(request.method) ? null : sessionOf(request)
    if (session === null) return
    const event: Omit<NewEvent, 'id'> = {
      merchantId: session.merchantId,
      type: 'user.acted',
      actor: actorOf(session),
      subject: subjectOf(request) ?? session.merchantId,
      facts: factsOf(request, reply),
    }
    await addEvent(database, { id: createId(), ...event }).catch((error: unknown) => {
      request.log.error({ err: error, event }, 'an act of the dashboard is not in the audit log')
    })
  })
}

function factsOf(request: FastifyRequest, { statusCode }: FastifyReply): object {
  return {
    act: `${request.method} ${request.routeOptions.url ?? ''}`,
    subject: subjectOf(request),
    address: request.sender.address,
    status: statusCode,
    request_id: request.id,
  }
}

/** Ids of resources, keys, events and clients. Other parts of a path are not logged. */
const SUBJECT = /^[\w-]{1,64}$/

/** The last id in the path, which names the innermost resource; null if there is none that may be logged. */
function subjectOf({ params }: FastifyRequest): string | null {
  const ids = typeof params === 'object' && params !== null ? Object.values(params) : []
  const last: unknown = ids.at(-1)
  return typeof last === 'string' && SUBJECT.test(last) && sensitiveIn(last) === null ? last : null
}
