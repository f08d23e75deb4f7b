import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Envelope } from '../../../../contract/api/envelope.ts'
import { answerContent, compressibleContentOf } from './content.ts'

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

/** Brotli quality, 0 to 11: this one shrinks 100 kB of JSON to a sixth within 1 ms; 5 takes 2 ms, for 3 % less. */
const BROTLI_QUALITY = 2

/**
 * Answers 200 with a resource in the envelope, compressed for clients that take it. Only for data without a secret: the length of
 * what is compressed tells of what is in it.
 */
export function answerCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  data: unknown,
): Promise<FastifyReply> {
  const envelope: Envelope = { status: 200, error: null, resource: { type, data } }
  const content = compressibleContentOf(Buffer.from(JSON.stringify(envelope)), {
    brotliQuality: BROTLI_QUALITY,
  })
  return answerContent(request, reply, content, { 'content-type': 'application/json; charset=utf-8' })
}
