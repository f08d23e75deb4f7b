import type { FastifyRequest } from 'fastify'
import { withoutSensitiveInStartOf } from '../../platform/secrets/secret-in-text.ts'
import type { Caller } from './user-events.ts'

const LONGEST_USER_AGENT = 256

/** Where a request came from, as it may be kept: what a browser says of itself is cut, and holds no card number and no secret. */
export function callerOf(request: Pick<FastifyRequest, 'sender' | 'headers'>): Caller {
  const userAgent = withoutSensitiveInStartOf(request.headers['user-agent'] ?? '', LONGEST_USER_AGENT)
  const { address, caller: network } = request.sender
  return { address, network, userAgent, device: null }
}
