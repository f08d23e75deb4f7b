import type { FastifyReply, FastifyRequest } from 'fastify'

const OWN = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The demo shop has no sign-in, so it answers to this machine's own names alone: a foreign name that was pointed at
 * this machine (DNS rebinding) would make a stranger's page one of the shop's.
 */
export async function requireOwnHost(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const name = (request.headers.host ?? '').replace(/:\d+$/, '')
  if (!OWN.has(name)) await reply.code(421).send({ message: 'This shop is at localhost only.' })
}
