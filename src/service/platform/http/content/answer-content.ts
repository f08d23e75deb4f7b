import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import { byteRangeOf } from './byte-range.ts'
import type { ByteRange } from './byte-range.ts'
import { acceptedCompression } from './compression.ts'
import type { Content } from './content.ts'

/**
 * Answers with a content in the best encoding that the request takes, or plain where it takes none: 304 where the client
 * has it (RFC 9110 §13), 206 for a range of it (§14), 416 for one beyond its end.
 */
export async function answerContent(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
  headers: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  const { plain, hash, copyIn } = content
  const compression = copyIn && acceptedCompression(request.headers['accept-encoding'])
  const common = { ...headers, vary: 'accept-encoding', 'accept-ranges': 'bytes' }
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
  const own = copy === null ? asPlain : compressed
  const bytes = copy ?? plain
  const range = rangeFor(request, reply, { bytes, etag: own.etag })
  void reply.headers(own)
  if (range === null) return reply.send(bytes)
  void reply.header('content-range', `bytes ${range.first}-${range.last}/${bytes.length}`)
  return reply.code(206).send(bytes.subarray(range.first, range.last + 1))
}

/** Whether an `If-None-Match` names this tag; a weak one of the same name counts (RFC 9110 §13.1.2). */
function isAmong(tags: string | undefined, etag: string): boolean {
  if (tags === undefined) return false
  return tags === etag || tags.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
}

function rangeFor(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: { bytes: Buffer; etag: string },
): ByteRange | null {
  const condition = headers['if-range']
  if (headers.range === undefined || method !== 'GET' || (condition !== undefined && condition !== etag))
    return null
  const range = byteRangeOf(headers.range, bytes.length)
  if (range !== 'unsatisfiable') return range
  void reply.header('content-range', `bytes */${bytes.length}`)
  throw new ServiceError('range_not_satisfiable', `This content has ${bytes.length} bytes.`)
}
