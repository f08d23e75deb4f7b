import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedCompression } from './compression.ts'
import type { Content } from './content.ts'

/**
 * Answers with a content in the best encoding that the request takes, or plain where it takes none; 304 where the client
 * has it (RFC 9110 §13). A `Range` is answered with the whole content, as §14.2 allows.
 */
export async function answerContent(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
  headers: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  const { plain, hash, copyIn } = content
  const compression = copyIn && acceptedCompression(request.headers['accept-encoding'])
  const common = { ...headers, vary: 'accept-encoding' }
  const compressed = {
    ...common,
    etag: `"${hash}-${String(compression)}"`,
    'content-encoding': String(compression),
  }
  const asPlain = { ...common, etag: `"${hash}"` }
  const known = request.headers['if-none-match']
  const preferred = compression === null ? asPlain : compressed
  if (isAmong(known, preferred.etag)) return reply.code(304).headers(preferred).send()
  const copy = compression && (await copyIn(compression))
  void reply.headers(copy === null ? asPlain : compressed)
  return reply.send(copy ?? plain)
}

/** Whether an `If-None-Match` names this tag; a weak one of the same name counts (RFC 9110 §13.1.2). */
function isAmong(tags: string | undefined, etag: string): boolean {
  if (tags === undefined) return false
  return tags === etag || tags.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
}
