import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../../../contract/dashboard/audit.ts'
import type { Permission } from '../../../../contract/dashboard/people/permission.ts'
import type { Role } from '../../../../contract/dashboard/people/role.ts'
import { ServiceError } from '../../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a person must be permitted on the dashboard; `none`: it is open to those who are not signed in. */
    permission?: Permission | 'none'
    /** Asks for the password once more where it was not given within the last minutes. */
    needsFreshPassword?: boolean
    /** Pages ask for it by themselves: it does not extend the session. */
    isUnattended?: boolean
  }
}

/** A person who is signed in to the dashboard, and the merchant in view. */
export interface Session {
  sessionId: string
  user: { id: string; email: string; name: string }
  merchantId: string
  /** What the person is at that merchant, as of this request. */
  role: Role
  /** Until when acts that ask for a fresh password are open; null when they are not. */
  freshUntil: Date | null
}

/** The open session to which a request's cookie belongs; null for every other request. */
export type FindSession = (request: Pick<FastifyRequest, 'headers'>) => Promise<Session | null>

/** Who acts, for the audit log. */
export function actorOf({ user }: { user: Pick<Session['user'], 'id'> }): Actor {
  return `user:${user.id}`
}

/** One text for every reason, so that nobody learns whom there is: unknown, wrong, ended. */
export function notSignedIn(): ServiceError {
  return new ServiceError('unauthorized', 'Sign in.', { challenge: 'Session' })
}
