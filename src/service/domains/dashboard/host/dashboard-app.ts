import type { FastifyInstance } from 'fastify'
import { createAddEvent } from '../../../platform/add-event.ts'
import type { DashboardAccess, MerchantAccess } from '../../../platform/domain.ts'
import type { AppOptions } from '../../../platform/http/app.ts'
import type { CountWrongKey } from '../../../platform/http/callers/admission.ts'
import { limitWastedWork } from '../../../platform/http/callers/wasted-work.ts'
import type { FindSession } from '../../../platform/http/callers/session.ts'
import type { AnswerIdempotently } from '../../../platform/idempotency.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { WriteEvent } from '../../../platform/write-event.ts'
import { answeredPath } from '../shell/shell-routes.ts'
import { admitPeople } from './admit-people.ts'
import { recordActs } from './record-acts.ts'
import { watchPermissions } from './permitted-routes.ts'
import type { PermittedRoute } from './permitted-routes.ts'
import { refuseForgedRequests } from './refuse-forged-requests.ts'
import { addSecurityHeaders } from './security-headers.ts'
import { createSessionAccess } from './session-access.ts'

interface Needs {
  /** Makes an app behind the checks that every app of this process stands behind. */
  createApp: (options: AppOptions) => FastifyInstance
  answerIdempotently: AnswerIdempotently
  countWrongKey: CountWrongKey
  findSession: FindSession
  /** The same without extending the session's idle time. */
  recheckSession: FindSession
  readMerchant: (id: string) => Promise<{ id: string; preAuth: boolean } | null>
  writeEvent: WriteEvent
}

/** The dashboard's app, before domains have added their routes. */
export interface DashboardApp {
  app: FastifyInstance
  /** Every route of `app`, with what it asks of a person. */
  routes: readonly PermittedRoute[]
  /** For the routes of a merchant's server. */
  merchantAccess: MerchantAccess
  /** For the dashboard's own routes. */
  access: DashboardAccess
}

/**
 * The app of the dashboard: the checks of every app of the process, then its own in this order: headers, whether the request
 * is the dashboard's, whose it is and what that person may do.
 */
export function createDashboardApp(platform: Platform, needs: Needs): DashboardApp {
  const { config, clock, database, createId } = platform
  const {
    createApp,
    answerIdempotently,
    countWrongKey,
    findSession,
    recheckSession,
    readMerchant,
    writeEvent,
  } = needs
  const app = createApp({ rewriteUrl: answeredPath })
  const routes = watchPermissions(app)
  addSecurityHeaders(app, config.dashboardUrl)
  refuseForgedRequests(app, config.dashboardUrl)
  const sessionOf = admitPeople(app, { findSession, recheckSession, limits: config.rateLimits, clock })
  limitWastedWork(app, { limits: config.rateLimits, clock })
  const addEvent = createAddEvent(writeEvent, createId)
  recordActs(app, { sessionOf, addEvent: (event) => addEvent(database, event) })
  return {
    app,
    routes,
    merchantAccess: createSessionAccess({
      sessionOf,
      readMerchant,
      answerIdempotently,
    }),
    access: {
      sessionOf(request) {
        const session = sessionOf(request)
        if (session === null) throw new Error('a route asks who is signed in, and is open to all')
        return session
      },
      recheckSession,
      countWrongKey,
    },
  }
}
