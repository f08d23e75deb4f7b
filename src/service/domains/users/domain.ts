import type { Platform } from '../../platform/platform.ts'
import { PUT_RIGHT_MS, whenSteady } from '../../platform/jobs/when-steady.ts'
import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import { requireFreshPassword, requirePermission } from './sessions/session.ts'
import { createSessionCookie } from './sessions/session-cookie.ts'
import type { Session } from './sessions/session.ts'
import type { FindSession } from '../../platform/http/callers/session.ts'
import { createSessionReads } from './sessions/session-reads.ts'

/** Who asks the dashboard, and what that person may do there. */
export interface Users {
  /** The open session that a request's cookie is of; null for every other request. */
  findSession: FindSession
  /** The open session that a cookie's token is of; null for every other token. Asking puts off its idle end. */
  sessionOf: (token: string) => Promise<Session | null>
  /** The same, for what asks by itself: it puts nothing off. */
  peekSession: (token: string) => Promise<Session | null>
  requirePermission: typeof requirePermission
  requireFreshPassword: typeof requireFreshPassword
}

/** People who log in to the dashboard: their sessions, passwords, second factors, and the merchants that they work for. */
export function usersDomain({ config, database, timeOfDay }: Platform): Domain<Users> {
  const sessions = createSessionReads(database)
  const isSecure = config.dashboardUrl.startsWith('https:')
  const cookie = createSessionCookie({ name: isSecure ? '__Host-svc_session' : 'svc_session', isSecure })
  return {
    api: {
      async findSession(request) {
        const token = cookie.read(request)
        return token === null ? null : sessions.find(token, true)
      },
      sessionOf: (token) => sessions.find(token, true),
      peekSession: (token) => sessions.find(token, false),
      requirePermission,
      requireFreshPassword,
    },
    addRoutes: noRoutes,
    jobs: [
      {
        name: 'forget ended sessions',
        everyMs: 600_000,
        work: whenSteady(timeOfDay, PUT_RIGHT_MS, sessions.forgetEnded),
      },
    ],
  }
}
