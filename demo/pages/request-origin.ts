import type { FastifyReply, FastifyRequest } from 'fastify'

/** Lets a request that changes something come from the shop's own pages alone. */
export async function requireSameOrigin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (hostOf(request.headers.origin) === request.headers.host) return
  await reply.code(403).send({ message: 'This request did not come from a page of this shop.' })
}

function hostOf(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
}

const OWN = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The demo shop has no sign-in, so it answers to this machine's own names alone: a foreign name that was pointed at
 * this machine (DNS rebinding) would make a stranger's page one of the shop's.
 */
export async function requireOwnHost(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const name = (request.headers.host ?? '').replace(/:\d+$/, '')
  if (!OWN.has(name)) await reply.code(421).send({ message: 'This shop is at localhost only.' })
}
