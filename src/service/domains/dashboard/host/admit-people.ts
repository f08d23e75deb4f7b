import type { FastifyInstance, FastifyRequest } from 'fastify'
import { permits } from '../../../../contract/dashboard/permission.ts'
import type { Permission } from '../../../../contract/dashboard/permission.ts'
import type { MonotonicClock } from '../../../platform/clocks.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { take } from '../../../platform/http/callers/admission.ts'
import type { FindSession, Session } from '../../../platform/http/callers/session.ts'
import { createRateLimit } from '../../../platform/rate-limits/rate-limit.ts'
import type { RateLimits } from '../../../platform/rate-limits/rate-limit.ts'
import { permissionOf } from './permitted-routes.ts'

interface Parts {
  findSession: FindSession
  limits: Pick<RateLimits, 'perKey'>
  clock: MonotonicClock
}

/** Whose request it is; null on a route that is open to those who are not signed in. */
export type SessionOfRequest = (request: FastifyRequest) => Session | null

/**
 * Before every route that is not open to all: asks whose session the cookie is of, and whether that person may do this.
 * Throws `unauthorized`, `forbidden`, `password_required` or `rate_limited` before the body is read.
 */
export function admitPeople(app: FastifyInstance, { findSession, limits, clock }: Parts): SessionOfRequest {
  const requests = createRateLimit(limits.perKey, clock)
  const known = new WeakMap<FastifyRequest, Session>()
  app.addHook('preParsing', async (request) => {
    const { config } = request.routeOptions
    const permission = permissionOf(request.method, config)
    if (request.is404 || permission === 'none') return
    const session = await findSession(request)
    if (session === null) throw new ServiceError('unauthorized', 'Log in.', { challenge: 'Session' })
    take(requests, session.user.id)
    known.set(request, session)
    requirePermission(session, permission)
    if (config.needsFreshPassword === true) requireFreshPassword(session)
  })
  return (request) => known.get(request) ?? null
}

function requirePermission({ role }: Session, permission: Permission): void {
  if (permits(role, permission)) return
  throw new ServiceError('forbidden', `Your role, ${role}, does not permit this. Ask an owner.`)
}

function requireFreshPassword({ freshUntil }: Session): void {
  if (freshUntil !== null) return
  throw new ServiceError('password_required', 'Confirm your password, then do this again.')
}
