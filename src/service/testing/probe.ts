import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { monotonicClock } from '../platform/clocks.ts'
import { authorize } from '../platform/http/callers/access-token.ts'
import type { VerifyAccessToken } from '../platform/http/callers/access-token.ts'
import { createRateLimit } from '../platform/rate-limits.ts'
import { answer } from '../platform/http/answers/answer.ts'

export const PROBE = '/probe'

/** Adds a route that needs the scope agreements:read and says whose the token is. To be called before the service's first request. */
export function addProbe(
  app: FastifyInstance,
  verify: VerifyAccessToken,
  onWrong: () => Promise<void> = () => Promise.resolve(),
): void {
  const requests = createRateLimit({ perSecond: 10_000, burst: 20_000 }, monotonicClock)
  const deps = { verify, requests, countWrongKey: onWrong }
  const handler = async (request: FastifyRequest, reply: FastifyReply) =>
    answer(reply, 200, 'probe', await authorize(deps, request, 'agreements:read'))
  app.get(PROBE, { config: { resourceType: 'probe' } }, handler)
  app.post(PROBE, { config: { resourceType: 'probe', takesForm: true } }, handler)
}
