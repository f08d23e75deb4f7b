import type { FastifyReply, FastifyRequest } from 'fastify'

/** Accepts a request that changes something only from the shop's own pages. */
export async function requireSameOrigin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (hostOf(request.headers.origin) === request.headers.host) return
  await reply.code(403).send({ message: 'This request did not come from a page of this shop.' })
}

function hostOf(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
}

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The demo shop has no sign-in, so it answers only under this machine's own names. With DNS rebinding, a foreign page could
 * otherwise act as one of the shop's.
 */
export async function requireOwnHost(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const name = (request.headers.host ?? '').replace(/:\d+$/, '')
  if (!LOCAL_NAMES.has(name)) await reply.code(421).send({ message: 'This shop is at localhost only.' })
}
