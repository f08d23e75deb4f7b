import type { FastifyInstance } from 'fastify'
import type { MonotonicClock } from '../../clocks.ts'
import { ServiceError } from '../../errors.ts'
import { createRateLimit } from '../../rate-limits/rate-limit.ts'
import type { RateLimit, RateLimits } from '../../rate-limits/rate-limit.ts'
import type { SharedLimit } from '../../rate-limits/shared-limit.ts'
import type { CallerKey, Sender } from './sender.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes card numbers, so it is limited more. */
    takesCards?: boolean
  }
}

interface Parts {
  limits: Pick<RateLimits, 'perAddress'>
  cards: SharedLimit<CallerKey>
  /** The same of a whole IPv6 /48. */
  cardsOfSite: SharedLimit<CallerKey>
  isOverloaded: () => boolean
  clock: MonotonicClock
}

/** Turns requests away before their bodies are read: when there are too many from one address, or altogether. */
export function admitRequests(app: FastifyInstance, parts: Parts): void {
  const { limits, isOverloaded, clock } = parts
  const requests = createRateLimit<CallerKey>(limits.perAddress, clock)
  // After every onRequest, so that a refusal too carries the headers by which a page of another origin may read it.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { operation, takesCards } = request.routeOptions.config
    if (operation?.isAlwaysServed !== true) {
      if (isOverloaded()) {
        done(overloaded())
        return
      }
      take(requests, request.sender.caller)
      if (takesCards === true) {
        takeCard(request.sender, parts).then(() => done(null, payload), done)
        return
      }
    }
    done(null, payload)
  })
}

async function takeCard({ caller, site }: Sender, { cards, cardsOfSite }: Parts): Promise<void> {
  await takeShared(cards, caller)
  if (site !== caller) await takeShared(cardsOfSite, site)
}

/** Counts one more; throws `rate_limited` with the time to wait when it is one too many. */
export function take<Who extends string>(limit: RateLimit<Who>, who: Who): void {
  refuseUntil(limit.take(who))
}

/** Like `take`, of a limit that all processes share. */
export async function takeShared<Who extends string>(limit: SharedLimit<Who>, who: Who): Promise<void> {
  refuseUntil(await limit.take(who))
}

function refuseUntil(retryAfter: number): void {
  if (retryAfter === 0) return
  const words = 'Too many requests. Send this one again after Retry-After seconds.'
  throw new ServiceError('rate_limited', words, { retryAfter })
}

function overloaded(): ServiceError {
  const words = 'The service is too busy just now. Nothing was done; try again after Retry-After seconds.'
  return new ServiceError('service_unavailable', words, { retryAfter: 2 })
}
