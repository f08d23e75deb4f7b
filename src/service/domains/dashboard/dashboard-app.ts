import type { FastifyInstance } from 'fastify'
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
import { recordActs } from './record-acts.ts'
import { refuseForgedRequests } from './refuse-forged-requests.ts'
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
