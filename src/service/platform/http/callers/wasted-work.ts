import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MonotonicClock } from '../../clocks.ts'
import { ServiceError } from '../../errors.ts'
import { createRateLimit } from '../../rate-limits.ts'
import type { Rate, RateLimits } from '../../rate-limits.ts'
import type { CallerKey, Sender } from './sender.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Processor time, in ms, that was spent on what it sent, as far as it is known. */
    workMs: number
    /** Whether a secret key, an access token or a session says who sent it. */
    isIdentified: boolean
  }
}

/** What one caller has, so many times: an IPv6 /48 may be a carrier's with many phones, of which one must not use up the place of all. */
const OF_SITE = 3
/** All callers together; beyond it those wait who had a part in it. */
const OF_ALL = 3
/** Beyond this all wait but those who were answered well before: nearly all of a processor's time is gone. */
const AT_MOST = 8
/** Who wasted more, in ms, had a part in it. Somebody who mistypes does not, nor many of them behind one address. */
const PART: Rate = { perSecond: 0.1, burst: 10 }
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
 * refused count, and only where nobody was identified. Who is identified goes on, from the same address too. However many waste at once,
 * who wasted nothing goes on for as long as the processor has time. Comes behind what identifies.
 */
export function limitWastedWork(app: FastifyInstance, { limits, clock }: Parts): void {
  const { perSecond, burst } = limits.wastedWorkPerAddress
  const times = <Who extends string>(factor: number) =>
    createRateLimit<Who>({ perSecond: factor * perSecond, burst: factor * burst }, clock)
  const ofCaller = times<CallerKey>(1)
  const ofSite = times<CallerKey>(OF_SITE)
  const ofAll = times<'all'>(OF_ALL)
  const atMost = times<'all'>(AT_MOST)
  const parts = createRateLimit<CallerKey>(PART, clock)
  const known = new Set<CallerKey>()
  const waitOf = ({ caller, site }: Sender): number => {
    const own = Math.max(ofCaller.waitOf(caller), ofSite.waitOf(site))
    if (own > 0) return own
    if (parts.waitOf(caller) > 0 || parts.waitOf(site) > 0) return ofAll.waitOf('all')
    return known.has(caller) ? 0 : atMost.waitOf('all')
  }
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { sender, isIdentified, routeOptions } = request
    if (isIdentified || routeOptions.config.operation?.isAlwaysServed === true) {
      done(null, payload)
      return
    }
    const wait = waitOf(sender)
    if (wait === 0) done(null, payload)
    else done(refused(wait))
  })
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const { sender, isIdentified, workMs, method } = request
    if (statusCode >= 400 && !isIdentified) {
      const ms = Math.min(workMs, MOST_OF_REQUEST_MS)
      ofCaller.charge(sender.caller, ms)
      ofSite.charge(sender.site, ms)
      for (const who of new Set([sender.caller, sender.site])) parts.charge(who, ms)
      for (const all of [ofAll, atMost]) all.charge('all', ms)
      if (ofCaller.waitOf(sender.caller) > 0) known.delete(sender.caller)
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
