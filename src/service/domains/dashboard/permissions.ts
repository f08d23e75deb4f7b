import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { permits } from '../../../contract/dashboard/people/permission.ts'
import type { Permission } from '../../../contract/dashboard/people/permission.ts'
import {
  IN_VIEW,
  IN_VIEW_QUERY,
  inViewOf,
  UNATTENDED,
} from '../../../contract/dashboard/people/session-view.ts'
import type { MonotonicClock } from '../../platform/clocks.ts'
import { ServiceError } from '../../platform/errors.ts'
import { take } from '../../platform/http/callers/admission.ts'
import { notSignedIn } from '../../platform/http/callers/session.ts'
import type { FindSession, Session } from '../../platform/http/callers/session.ts'
import { createRateLimit } from '../../platform/rate-limits.ts'
import type { RateLimits } from '../../platform/rate-limits.ts'
import { isSafe } from './refuse-forged-requests.ts'

/** The session of a request, or null on a route that needs none. */
export type SessionOfRequest = (request: FastifyRequest) => Session | null

interface PermissionDeps {
  findSession: FindSession
  /** The same, but does not extend the session's idle time. */
  recheckSession: FindSession
  limits: Pick<RateLimits, 'perKey'>
  clock: MonotonicClock
}

/**
 * Checks who is signed in and what that person may do, before the body is read. Throws `unauthorized`, `forbidden`,
 * `password_required` or `rate_limited`. A body may take seconds to come, so a request that changes something is checked again
 * once it is there: the session may have ended, or the role may have changed.
 */
export function checkPermissions(
  app: FastifyInstance,
  { findSession, recheckSession, limits, clock }: PermissionDeps,
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

/** Whether the page reads this by itself. A caller may claim so, but only shortens its own session. */
function isUnattended({ method, headers, routeOptions: { config } }: FastifyRequest): boolean {
  return isSafe(method) && (config.isUnattended === true || headers[UNATTENDED] !== undefined)
}

const InViewQuery = v.object({ [IN_VIEW_QUERY]: v.unknown() })

/** Refuses a page that still shows another person or merchant than the session's. */
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

/** A route of the dashboard, and what a person needs for it. */
export interface PermittedRoute {
  method: string
  /** As `/v1/charges/:id`. */
  path: string
  permission: Permission | 'none'
  needsFreshPassword: boolean
}

/** Fastify adds these itself. */
const DERIVED = new Set(['HEAD', 'OPTIONS'])

/**
 * The routes of the dashboard: the list grows as routes are added, so call this before them. A dashboard route without a
 * permission stops the start, so that none is open by oversight.
 */
export function watchPermissions(app: FastifyInstance): readonly PermittedRoute[] {
  const routes: PermittedRoute[] = []
  app.addHook('onRoute', ({ url, method, config = {} }) => {
    if (config.permission === undefined && config.operation === undefined)
      throw new Error(`the route ${url} of the dashboard names no permission`)
    for (const one of [method].flat().filter((name) => !DERIVED.has(name))) {
      const needsFreshPassword = config.needsFreshPassword === true
      routes.push({ method: one, path: url, permission: permissionOf(one, config), needsFreshPassword })
    }
  })
  return routes
}

/** REST routes name no permission: their reads need `read`, and all else `change`. */
function permissionOf(
  method: string,
  { permission }: Pick<FastifyContextConfig, 'permission'>,
): Permission | 'none' {
  return permission ?? (isSafe(method) ? 'read' : 'change')
}
