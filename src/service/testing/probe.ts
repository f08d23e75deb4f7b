import type { FastifyInstance } from 'fastify'
import { monotonicClock } from '../platform/clocks.ts'
import { createAuthorize } from '../platform/http/callers/access-token.ts'
import type { VerifyAccessToken } from '../platform/http/callers/access-token.ts'
import { answer } from '../platform/http/answers/answer.ts'

export const PROBE = '/probe'

/** Adds a route that needs the scope agreements:read and says whose the token is. To be called before the service's first request. */
export function addProbe(
  app: FastifyInstance,
  verify: VerifyAccessToken,
  onWrong: () => Promise<void> = () => Promise.resolve(),
): void {
  const authorize = createAuthorize({
    verify,
    limits: { perKey: { perSecond: 10_000, burst: 20_000 } },
    countWrongKey: onWrong,
    clock: monotonicClock,
  })
  const handler = async (request: Parameters<typeof authorize>[0], reply: Parameters<typeof answer>[0]) =>
    answer(reply, 200, 'probe', await authorize(request, 'agreements:read'))
  app.get(PROBE, { config: { resourceType: 'probe' } }, handler)
  app.post(PROBE, { config: { resourceType: 'probe', takesForm: true } }, handler)
}
