import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MonotonicClock } from '../../clocks.ts'
import { ServiceError } from '../../errors.ts'
import { createRateLimit } from '../../rate-limits/rate-limit.ts'
import type { RateLimits } from '../../rate-limits/rate-limit.ts'
import type { CallerKey } from './sender.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Processor time, in ms, that was spent on what it sent, as far as it is known. */
    workMs: number
    /** Whether a secret key, an access token or a session says who sent it. */
    isIdentified: boolean
  }
}

/** All callers together have so many times what one has; beyond it only those go on who were answered well before. */
const CALLERS = 3
/** Callers that were answered well, the last ones. */
const MAX_KNOWN = 10_000
/** What one request counts for at most: a processor that is busy with other work makes a request look longer than it is. */
const MOST_OF_REQUEST_MS = 50

/** Does work for a request, and adds the time that it took. */
export function countWork<Result>(request: FastifyRequest, work: () => Result): Result {
  const begun = performance.now()
  try {
    return work()
  } finally {
    request.workMs += performance.now() - begun
  }
}

/** Counts, for each request, the work of its handler until that first waits. Comes before the routes. */
export function watchWork(app: FastifyInstance): void {
  app.decorateRequest('workMs', 0)
  app.decorateRequest('isIdentified', false)
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = function (request, reply) {
      return countWork(request, () => handler.call(this, request, reply))
    }
  })
}

interface Parts {
  limits: Pick<RateLimits, 'wastedWorkPerAddress'>
  clock: MonotonicClock
}

/**
 * Refuses requests of callers whose requests have cost much and came to nothing, before more is read of them. Only requests that were
 * refused count, those of an IPv6 /48 together, and only where nobody was identified. Who is identified goes on, from the same address
 * too. Comes behind what identifies.
 */
export function limitWastedWork(app: FastifyInstance, { limits, clock }: Parts): void {
  const { perSecond, burst } = limits.wastedWorkPerAddress
  const wasted = createRateLimit<CallerKey>({ perSecond, burst }, clock)
  const inAll = createRateLimit<'all'>({ perSecond: CALLERS * perSecond, burst: CALLERS * burst }, clock)
  const known = new Set<CallerKey>()
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { sender, isIdentified, routeOptions } = request
    if (isIdentified || routeOptions.config.operation?.isAlwaysServed === true) {
      done(null, payload)
      return
    }
    const ofAll = known.has(sender.caller) ? 0 : inAll.waitOf('all')
    const wait = Math.max(wasted.waitOf(sender.caller), wasted.waitOf(sender.site), ofAll)
    if (wait === 0) done(null, payload)
    else done(refused(wait))
  })
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const { sender, isIdentified, workMs, method } = request
    if (statusCode >= 400 && !isIdentified) {
      const ms = Math.min(workMs, MOST_OF_REQUEST_MS)
      for (const who of new Set([sender.caller, sender.site])) wasted.charge(who, ms)
      inAll.charge('all', ms)
      if (wasted.waitOf(sender.caller) > 0) known.delete(sender.caller)
    } else if (statusCode < 400 && (isIdentified || method === 'POST')) remember(known, sender.caller)
    done()
  })
}

/** The one that was seen longest ago leaves when there are too many. */
function remember(known: Set<CallerKey>, caller: CallerKey): void {
  known.delete(caller)
  known.add(caller)
  if (known.size > MAX_KNOWN) for (const oldest of known) return void known.delete(oldest)
}

function refused(retryAfter: number): ServiceError {
  const words =
    'Too many requests that could not be carried out. Send this one again after Retry-After seconds.'
  return new ServiceError('rate_limited', words, { retryAfter })
}
