import type { FastifyReply, FastifyRequest } from 'fastify'

/** Lets a request that changes something come from the shop's own pages alone. */
export async function requireSameOrigin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (hostOf(request.headers.origin) === request.headers.host) return
  await reply.code(403).send({ message: 'This request did not come from a page of this shop.' })
}

function hostOf(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
}
