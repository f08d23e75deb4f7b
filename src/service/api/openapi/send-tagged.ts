import type { FastifyReply, FastifyRequest } from 'fastify'

/** Answers with a text that a browser keeps, or with 304 where it has it already. */
export function sendTagged(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: { body: Buffer; etag: string },
): FastifyReply {
  void reply.headers({ 'cache-control': 'no-cache', etag })
  return headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(body)
}
