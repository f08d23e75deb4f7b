import type { FastifyReply } from 'fastify'
import type { Envelope } from '../../../../contract/api/envelope.ts'

/** Answers with a resource in the envelope (contract §2); a page also says where the `next` one begins. */
export function answer(
  reply: FastifyReply,
  status: number,
  type: string,
  data: unknown,
  next?: string | null,
): FastifyReply {
  const resource = next === undefined ? { type, data } : { type, data, next }
  const envelope: Envelope = { status, error: null, resource }
  return reply.code(status).send(envelope)
}
