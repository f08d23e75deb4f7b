import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import {
  IN_VIEW,
  IN_VIEW_QUERY,
  inViewOf,
  UNATTENDED,
} from '../../../../contract/dashboard/people/session-view.ts'
import { permits } from '../../../../contract/dashboard/people/permission.ts'
import type { MonotonicClock } from '../../../platform/clocks.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { take } from '../../../platform/http/callers/admission.ts'
import { notSignedIn } from '../../../platform/http/callers/session.ts'
import type { FindSession, Session } from '../../../platform/http/callers/session.ts'
import { createRateLimit } from '../../../platform/rate-limits.ts'
import type { RateLimits } from '../../../platform/rate-limits.ts'
import { permissionOf } from './permitted-routes.ts'
import { isSafe } from './refuse-forged-requests.ts'

interface Parts {
  findSession: FindSession
  /** The same without extending the session's idle time. */
  recheckSession: FindSession
  limits: Pick<RateLimits, 'perKey'>
  clock: MonotonicClock
}

/** Whose request it is; null on a route that is open to those who are not signed in. */
export type SessionOfRequest = (request: FastifyRequest) => Session | null

/**
 * Before every route that is not open to all: asks whose session the cookie is of, and whether that person may do this.
 * Throws `unauthorized`, `forbidden`, `password_required` or `rate_limited` before the body is read. A body may take seconds to
 * come, so where something would change, the same is asked again once the body is there: a session that has ended meanwhile, or
 * a role that was taken away, changes nothing.
 */
export function admitPeople(
  app: FastifyInstance,
  { findSession, recheckSession, limits, clock }: Parts,
): SessionOfRequest {
  const requests = createRateLimit(limits.perKey, clock)
  const known = new WeakMap<FastifyRequest, Session>()
  app.addHook('preParsing', async (request) => {
    // An address without a route answers 404 to everyone.
    if (request.is404 || permissionOf(request.method, request.routeOptions.config) === 'none') return
    const session = await (isUnattended(request) ? recheckSession : findSession)(request)
    if (session === null) throw notSignedIn()
    request.isIdentified = true
    take(requests, session.user.id)
    known.set(request, session)
    requireInView(session, request)
    requirePermission(session, request)
  })
  app.addHook('preHandler', async (request) => {
    const atFirst = known.get(request)
    if (atFirst === undefined || isSafe(request.method)) return
    const session = await findSession(request)
    if (session === null) throw notSignedIn()
    if (session.merchantId !== atFirst.merchantId) throw otherInView()
    known.set(request, session)
    requirePermission(session, request)
  })
  return (request) => known.get(request) ?? null
}

/** Whether a page reads this by itself. A caller that says so of its own acts only lets its own session end sooner. */
function isUnattended({ method, headers, routeOptions: { config } }: FastifyRequest): boolean {
  return isSafe(method) && (config.isUnattended === true || headers[UNATTENDED] !== undefined)
}

const InViewQuery = v.object({ [IN_VIEW_QUERY]: v.unknown() })

/** Refuses what a page asks that shows another person or merchant than the session is of now. */
function requireInView({ user, merchantId }: Session, { headers, query }: FastifyRequest): void {
  const shown = headers[IN_VIEW] ?? (v.is(InViewQuery, query) ? query[IN_VIEW_QUERY] : undefined)
  if (shown !== undefined && shown !== inViewOf(user.id, merchantId)) throw otherInView()
}

function requirePermission({ role, freshUntil }: Session, { method, routeOptions }: FastifyRequest): void {
  const permission = permissionOf(method, routeOptions.config)
  if (permission !== 'none' && !permits(role, permission))
    throw new ServiceError('forbidden', `Your role, ${role}, does not permit this. Ask an owner.`)
  if (routeOptions.config.needsFreshPassword === true && freshUntil === null)
    throw new ServiceError('password_required', 'Confirm your password, then do this again.')
}

function otherInView(): ServiceError {
  return new ServiceError(
    'forbidden',
    'Another window shows another merchant or person since. Nothing was done; load this page again.',
  )
}
