import { permits } from '../../../../contract/dashboard/permission.ts'
import type { Permission } from '../../../../contract/dashboard/permission.ts'
import type { Role } from '../../../../contract/dashboard/role.ts'
import { ServiceError } from '../../../platform/errors.ts'

/** Of whom a request of the dashboard is, and at which merchant. */
export interface Session {
  sessionId: string
  user: { id: string; email: string; name: string; timeZone: string }
  merchantId: string
  merchantName: string
  /** At that merchant; read with each request, so a change of it counts at once. */
  role: Role
  /** Until when acts that need a fresh password are open; null when they are not. */
  freshUntil: Date | null
}

/** A session of which only the password was given. It opens nothing but the second factor. */
export interface UnfinishedSession {
  sessionId: string
  userId: string
  merchantId: string
}

/** A session ends so long after its log-in at the latest: what NIST SP 800-63B §4.2.3 allows for two factors at most. */
export const SESSION_HOURS = 24

/**
 * A session that nobody used ends after so long: longer than a meeting, shorter than a lunch and an afternoon. What could do
 * lasting harm asks for the password anew much sooner.
 */
export const IDLE_MINUTES = 120

/** Acts that need a fresh password are open so long after it was given: long enough to set one thing up. */
export const FRESH_MINUTES = 10

/** The second factor must follow the password within this: time to fetch a telephone. */
export const SECOND_FACTOR_MINUTES = 10

/** When a session was last used is noted as often as this at most, so that reading does not become writing. */
export const NOTED_EVERY_SECONDS = 60

/** One text for every reason, so that nobody learns whom there is: unknown, wrong, ended. */
export function notSignedIn(): ServiceError {
  return new ServiceError('unauthorized', 'Log in.', { challenge: 'Session' })
}

/** Throws `forbidden` when the role of this session does not permit it. */
export function requirePermission({ role }: Pick<Session, 'role'>, permission: Permission): void {
  if (!permits(role, permission))
    throw new ServiceError('forbidden', `Your role, ${role}, does not permit this. Ask an owner.`)
}

/** Throws `password_required` unless the password was given within the last ten minutes. */
export function requireFreshPassword({ freshUntil }: Pick<Session, 'freshUntil'>): void {
  if (freshUntil === null)
    throw new ServiceError('password_required', 'Confirm your password, then do this again.')
}
