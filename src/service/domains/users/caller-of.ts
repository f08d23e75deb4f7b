import type { FastifyRequest } from 'fastify'
import { addressOf, rateLimitKeyOf } from '../../platform/http/callers/address-of.ts'
import { withoutSensitive } from '../../platform/secrets/sensitive-text.ts'
import type { Caller } from './user-events.ts'

const LONGEST_USER_AGENT = 256

/** Where a request came from, as it may be kept: what a browser says of itself is cut, and holds no card number and no secret. */
export function callerOf(request: Pick<FastifyRequest, 'ip' | 'headers'>): Caller {
  const userAgent = withoutSensitive(request.headers['user-agent'] ?? '').slice(0, LONGEST_USER_AGENT)
  return { address: addressOf(request), network: rateLimitKeyOf(request), userAgent }
}
