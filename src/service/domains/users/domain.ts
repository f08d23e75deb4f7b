import type { Platform } from '../../platform/platform.ts'
import { PUT_RIGHT_MS, whenSteady } from '../../platform/jobs/when-steady.ts'
import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import { permits } from './role.ts'
import { requireFreshPassword, requirePermission } from './sessions/session.ts'
import type { Session } from './sessions/session.ts'
import { createSessionReads } from './sessions/session-reads.ts'

/** Who asks the dashboard, and what that person may do there. */
export interface Users {
  /** The open session that a cookie's token is of; null for every other token. Asking puts off its idle end. */
  sessionOf: (token: string) => Promise<Session | null>
  /** The same, for what asks by itself: it puts nothing off. */
  peekSession: (token: string) => Promise<Session | null>
  permits: typeof permits
  requirePermission: typeof requirePermission
  requireFreshPassword: typeof requireFreshPassword
}

/** People who log in to the dashboard: their sessions, passwords, second factors, and the merchants that they work for. */
export function usersDomain({ database, timeOfDay }: Platform): Domain<Users> {
  const sessions = createSessionReads(database)
  return {
    api: {
      sessionOf: (token) => sessions.find(token, true),
      peekSession: (token) => sessions.find(token, false),
      permits,
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
