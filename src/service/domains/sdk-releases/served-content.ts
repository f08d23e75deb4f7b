import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../platform/errors.ts'
import { byteRangeOf } from './byte-range.ts'
import type { ByteRange } from './byte-range.ts'
import { encodingFor } from './encoding.ts'
import type { Encoding } from './encoding.ts'

/** Bytes ready to be sent in one encoding, with the headers that go with them. */
interface Representation {
  bytes: Buffer
  etag: string
  headers: Readonly<Record<string, string>>
}

/** One content in every encoding that it is kept in. */
export type ServedContent = ReadonlyMap<Encoding, Representation>

/** Prepares a content for serving; `headers` go with each of its encodings. */
export function servedContentOf(
  bytesIn: Readonly<Partial<Record<Encoding, Buffer>> & { identity: Buffer }>,
  headers: Readonly<Record<string, string>>,
): ServedContent {
  const name = createHash('sha256').update(bytesIn.identity).digest('base64url').slice(0, 22)
  const content = new Map<Encoding, Representation>()
  for (const encoding of ['identity', 'br', 'gzip'] as const) {
    const bytes = bytesIn[encoding]
    if (bytes === undefined) continue
    const etag = encoding === 'identity' ? `"${name}"` : `"${name}-${encoding}"`
    const own = encoding === 'identity' ? {} : { 'content-encoding': encoding }
    content.set(encoding, {
      bytes,
      etag,
      headers: { ...headers, ...own, etag, vary: 'accept-encoding', 'accept-ranges': 'bytes' },
    })
  }
  return content
}

/**
 * Answers with a content in the best encoding that the request takes: 304 where the client has it (RFC 9110 §13), 206
 * for a range of it (§14), 416 for one beyond its end. `more` headers belong to this answer alone.
 */
export function answerContent(
  request: FastifyRequest,
  reply: FastifyReply,
  content: ServedContent,
  more: Readonly<Record<string, string>> = {},
): FastifyReply {
  const representation = content.get(
    encodingFor(request.headers['accept-encoding'], (encoding) => content.has(encoding)),
  )
  if (representation === undefined) throw new Error('a content must be there in plain')
  const { bytes, etag, headers } = representation
  const isKnown = isAmong(request.headers['if-none-match'], etag)
  const range = isKnown ? null : rangeFor(request, reply, representation)
  void reply.headers(headers).headers(more)
  if (isKnown) return reply.code(304).send()
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
  { bytes, etag }: Representation,
): ByteRange | null {
  const condition = headers['if-range']
  if (headers.range === undefined || method !== 'GET' || (condition !== undefined && condition !== etag))
    return null
  const range = byteRangeOf(headers.range, bytes.length)
  if (range !== 'unsatisfiable') return range
  void reply.header('content-range', `bytes */${bytes.length}`)
  throw new ServiceError('range_not_satisfiable', `This content has ${bytes.length} bytes.`)
}
