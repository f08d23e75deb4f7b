import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

const inBrotli = promisify(brotliCompress)
const inGzip = promisify<Buffer, { level: number }, Buffer>(gzip)

/**
 * How many compressed copies this process makes at once: half of Node's threads. Anyone can request new documents faster than they
 * can be compressed; sending them uncompressed costs no time.
 */
const MAX_AT_ONCE = 2
let underWay = 0

/** What is served at an address, plain or compressed. */
export interface Content {
  plain: Buffer
  /** Names the content in its `ETag`. */
  hash: string
  /**
   * A compressed copy, made when it is first asked for and then kept; it answers null, for plain, while so many others are
   * being made that a client would wait. Null for a content that is served plain only.
   */
  copyIn: ((compression: Compression) => Promise<Buffer> | null) | null
}

/** A content that is served plain only. */
export function plainContentOf(plain: Buffer): Content {
  return { plain, hash: hashOf(plain), copyIn: null }
}

/**
 * A content that is also served compressed. `brotliQuality` is 0 to 11, where 11 gives the smallest copy and takes some
 * 1 ms for each kB, on a thread beside the one that answers requests.
 */
export function compressibleContentOf(plain: Buffer, { brotliQuality }: { brotliQuality: number }): Content {
  const copies = new Map<Compression, Promise<Buffer>>()
  const copyIn = (compression: Compression) => {
    const known = copies.get(compression)
    if (known !== undefined || underWay >= MAX_AT_ONCE) return known ?? null
    underWay += 1
    const copy = compress(plain, compression, brotliQuality).finally(() => (underWay -= 1))
    copies.set(compression, copy)
    return copy
  }
  return { plain, hash: hashOf(plain), copyIn }
}

/** A content that was compressed by brotli when it was built; a copy by gzip is made when it is first asked for. */
export function precompressedContentOf(plain: Buffer, brotli: Buffer): Content {
  const { hash, copyIn } = compressibleContentOf(plain, { brotliQuality: 11 })
  const ready = Promise.resolve(brotli)
  return {
    plain,
    hash,
    copyIn: (compression) => (compression === 'br' ? ready : (copyIn?.(compression) ?? null)),
  }
}

async function compress(plain: Buffer, compression: Compression, brotliQuality: number): Promise<Buffer> {
  if (compression === 'gzip') return inGzip(plain, { level: 9 })
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  }
  return inBrotli(plain, { params })
}

function hashOf(plain: Buffer): string {
  return createHash('sha256').update(plain).digest('base64url').slice(0, 22)
}

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

/** How contents are compressed, by the names in HTTP; what makes them smallest comes first. */
const COMPRESSIONS = ['br', 'gzip'] as const
export type Compression = (typeof COMPRESSIONS)[number]

/** Browsers send some 30 characters; the time for a header of thousands grows with it. */
const LONGEST_ACCEPT_ENCODING = 500

/** The best compression that an `Accept-Encoding` allows (RFC 9110 §12.5.3); null where it allows none. */
export function acceptedCompression(acceptEncoding: string | undefined): Compression | null {
  const client = new Negotiator({
    headers: { 'accept-encoding': acceptEncoding?.slice(0, LONGEST_ACCEPT_ENCODING) },
  })
  const accepted = client.encodings([...COMPRESSIONS])
  return COMPRESSIONS.find((compression) => accepted.includes(compression)) ?? null
}
