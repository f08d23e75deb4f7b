import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Authorize } from './access-token.ts'
import type { Authenticate } from './authenticate.ts'

/** How long an answer to "who asks?" holds, in ms: a body may take longer to come, and a key may be revoked meanwhile. */
const HOLDS_MS = 1000

type Identify<Asked extends unknown[], Identity> = (
  request: FastifyRequest,
  ...asked: Asked
) => Promise<Identity>

/** The same, asked once for each request that is asked for again within a moment, and counted once by the limits behind it. */
export function rememberedForRequest<Asked extends unknown[], Identity>(
  identify: Identify<Asked, Identity>,
): Identify<Asked, Identity> {
  const known = new WeakMap<FastifyRequest, { what: string; at: number; identity: Identity }>()
  return async (request, ...asked) => {
    const what = asked.join(' ')
    const last = known.get(request)
    if (last?.what === what && performance.now() - last.at < HOLDS_MS) return last.identity
    const identity = await identify(request, ...asked)
    known.set(request, { what, at: performance.now(), identity })
    return identity
  }
}

interface Parts {
  authenticate: Authenticate<unknown>
  authorize: Authorize
}

/**
 * Asks whose key or access token a request carries before its body is read: who has none costs nothing more. Routes ask
 * once more, by what `rememberedForRequest` made of the same functions.
 */
export function identifyBeforeBody(app: FastifyInstance, { authenticate, authorize }: Parts): void {
  app.addHook('preParsing', async (request) => {
    const { operation } = request.routeOptions.config
    if (operation?.key === 'secret') await authenticate(request, 'secret')
    if (operation?.key === 'oauth' && operation.scope !== undefined) await authorize(request, operation.scope)
  })
}
