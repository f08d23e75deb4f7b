import { isUtf8 as isUtf8Bytes } from 'node:buffer'
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { isWellFormed } from '../../../../contract/api/fields/text.ts'
import { ServiceError } from '../../errors.ts'
import { countWork } from '../callers/wasted-work.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes a form (`application/x-www-form-urlencoded`) as its body, and gets `URLSearchParams`. */
    takesForm?: boolean
    /** Takes a body of any media type, and gets its bytes as they came: what they are signed by has to be found out first. */
    takesBytes?: boolean
  }
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** In place of a body that nobody reads: where a route takes a key, it is refused (`refuse-unknown-names.ts`). */
const UNREAD = 'unread'

/**
 * Reads every body, whatever its type; an empty one is no body, whatever its type. Refused are bodies that are compressed, and those of
 * another type than the route takes: before they have come, where their length says that they will.
 */
export function readBodies(app: FastifyInstance): void {
  // Else bodies of these would be skipped without a word, and one that says which amount is meant may be among them.
  for (const method of ['GET', 'HEAD']) app.addHttpMethod(method, { hasBody: true, overrideExisting: true })
  const readJson = jsonReader(app)
  app.removeAllContentTypeParsers()
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { headers } = request.raw
    const length = Number(headers['content-length'] ?? 0)
    // The framework would check the media type of an empty body, and refuse a wrong one.
    if (length === 0 && headers['transfer-encoding'] === undefined) delete headers['content-type']
    done(null, payload)
  })
  // As the last step before a body is read: who asks is found out before.
  app.addHook('onRoute', (route) => {
    route.preParsing = [route.preParsing ?? [], refuseUnreadable].flat()
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    const body = Buffer.from(bytes)
    if (body.length === 0) done(null, undefined)
    else if (request.routeOptions.config.takesBytes === true && !isCoded(request)) done(null, body)
    else if (isSkipped(request)) done(null, body.toString('latin1').trim() === '{}' ? {} : UNREAD)
    else {
      const read = request.mediaType === FORM_TYPE ? readForm : readJson
      const refusal = refusalOf(request)
      const { fault, value } =
        refusal === null ? countWork(request, () => read(request, body)) : { fault: refusal, value: null }
      done(fault, value)
    }
  })
}

function refuseUnreadable(
  request: FastifyRequest,
  _reply: FastifyReply,
  payload: RequestPayload,
  done: (error: Error | null, payload: RequestPayload) => void,
): void {
  const hasLength = Number(request.headers['content-length'] ?? 0) > 0
  done(hasLength && !isSkipped(request) ? refusalOf(request) : null, payload)
}

function isSkipped({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Why a body is refused by what its headers say of it. */
function refusalOf(request: FastifyRequest): ServiceError | null {
  if (isCoded(request)) return compressed()
  const { mediaType } = request
  if (request.routeOptions.config.takesBytes === true) return null
  const isForm = mediaType === FORM_TYPE && request.routeOptions.config.takesForm === true
  return mediaType === JSON_TYPE || isForm ? null : wrongMediaType(request)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A browser sends a form to anyone's server, so only routes that say so may take one. */
function readForm(_request: FastifyRequest, body: Buffer): ReadBody {
  try {
    return { fault: null, value: new URLSearchParams(utf8.decode(body)) }
  } catch {
    return { fault: new ServiceError('validation_error', 'The form is not written in UTF-8.') }
  }
}

/** `identity` says that the body is as it is (RFC 9110, section 8.4.1). */
function isCoded({ headers }: FastifyRequest): boolean {
  const codings = (headers['content-encoding'] ?? '').split(',').map((coding) => coding.trim().toLowerCase())
  return codings.some((coding) => coding !== '' && coding !== 'identity')
}

function compressed(): ServiceError {
  return new ServiceError(
    'unsupported_media_type',
    'Send the body as it is, without Content-Encoding: nothing is unpacked here.',
    { acceptEncoding: 'identity' },
  )
}

/** Far deeper than any body of the contract, and shallow enough for recursion. */
const DEEPEST = 32
/** Far more than any body of the contract has. Objects with many names take far longer to read than texts of the same length. */
const MOST_NAMES = 1000

type ReadJson = (request: FastifyRequest, body: Buffer) => ReadBody

/** What was read of a body: nothing where it was empty, or why it is refused. */
export interface ReadBody {
  fault: ServiceError | null
  value?: unknown
}

/**
 * Makes the function that reads a body as JSON. White space alone is no body. Bytes that are not UTF-8, what is nested too deep or has too
 * many names, names that would change an object's prototype (`__proto__`, `constructor.prototype`), names that stand twice in an
 * object, and numbers beyond what a number can be are refused.
 */
function jsonReader(app: FastifyInstance): ReadJson {
  const parse = app.getDefaultJsonParser('error', 'error')
  return (request, body) => {
    const text = textOf(body)
    if (text === null) return { fault: notUtf8() }
    if (text.trim() === '') return { fault: null }
    const { depth, names } = shapeOf(text)
    if (depth > DEEPEST) return { fault: unreadable() }
    if (names > MOST_NAMES) return { fault: tooManyNames() }
    let result: ReadBody = { fault: unreadable() }
    try {
      void parse(request, text, (error, value: unknown) => {
        if (error === null)
          result = { fault: namesIn(value) < names ? nameTwice() : faultOf(text, value), value }
      })
    } catch {
      // What can't be read is answered in the same words, whatever is wrong with it.
    }
    return result
  }
}

/**
 * The JSON of bytes that a route took as they came, by the rules of every body but two: it may have more names, and of NUL and halves of
 * characters each becomes U+FFFD, as news must still be heard of which a gateway has cut off some words. Undefined where it is no JSON, or
 * breaks a rule.
 */
export function parsedOnce(bytes: Buffer): unknown {
  const text = textOf(bytes)
  if (text === null || text.includes('"__proto__"')) return undefined
  const { depth, names } = shapeOf(text)
  if (depth > DEEPEST) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (namesIn(value) < names || holdsInfinity(value)) return undefined
    return brokenTextIn(text, value) === null ? value : mended(value)
  } catch {
    return undefined
  }
}

function mended(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\0|\p{Surrogate}/gu, '\uFFFD')
  if (Array.isArray(value)) return value.map(mended)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [mended(name), mended(inner)]))
}

/** Null where it is not UTF-8: UTF-16 would be, but for the NUL beside each letter, which no JSON has. */
function textOf(body: Buffer): string | null {
  if (body.includes(0)) return null
  try {
    return utf8.decode(body)
  } catch {
    return null
  }
}

function notUtf8(): ServiceError {
  const words =
    'The body is not written in UTF-8. Send JSON in UTF-8, whatever charset a library would choose.'
  return new ServiceError('validation_error', words)
}

function faultOf(text: string, parsed: unknown): ServiceError | null {
  if (holdsInfinity(parsed)) return numberTooLarge()
  const path = brokenTextIn(text, parsed)
  return path === null ? null : notWellFormed('The request', path)
}

function unreadable(): ServiceError {
  return new ServiceError(
    'validation_error',
    'The body is not well-formed JSON, is nested more than 32 deep, or has a name that no object may have.',
  )
}

function tooManyNames(): ServiceError {
  return new ServiceError('validation_error', `The body has more than ${MOST_NAMES} names.`)
}

function numberTooLarge(): ServiceError {
  return new ServiceError('validation_error', 'The body has a number that is too large to be read.')
}

/** `JSON.parse` reads `1e999` as infinity, which no JSON can say again. */
function holdsInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsInfinity)
}

/** `JSON.parse` keeps the last of several values, and whatever stood before the service may have read another: an amount, say. */
function nameTwice(): ServiceError {
  return new ServiceError(
    'validation_error',
    'A name stands twice in one object of the body, and only one of its values could count. Nothing was done.',
  )
}

/** How deep the objects and arrays of a JSON text are nested, and how many names stand in it: each has a colon behind it. */
function shapeOf(text: string): { depth: number; names: number } {
  let depth = 0
  let deepest = 0
  let names = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at]
    if (mark === '\\') at += 1
    else if (mark === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (mark === ':') names += 1
    else if (mark === '{' || mark === '[') deepest = Math.max(deepest, (depth += 1))
    else if (mark === '}' || mark === ']') depth -= 1
  }
  return { depth: deepest, names }
}

/** How many names the objects of a parsed text have. */
function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  return inner.reduce<number>((sum, one) => sum + namesIn(one), Array.isArray(value) ? 0 : inner.length)
}

const words = 'must be well-formed text'

/**
 * Refuses an address with NUL in it, however it is written: no path or query of ours has one, and PostgreSQL can't store it. So is one whose
 * bytes are not UTF-8 (`caf%E9`): a list would be searched for other letters than were meant, and found empty.
 */
export function refuseBrokenAddresses(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.url.includes('%00') || !isUtf8(request.url)) done(notWellFormed('The address', undefined))
    else done()
  })
}

const ESCAPED_BYTES = /(?:%[\da-f]{2})+/gi

function isUtf8(url: string): boolean {
  if (!/%[89a-f]/i.test(url)) return true
  const bytes = url.match(ESCAPED_BYTES) ?? []
  return bytes.every((row) => isUtf8Bytes(Buffer.from(row.replaceAll('%', ''), 'hex')))
}

/**
 * Where a body holds what JSON can write and PostgreSQL can't store, as text or as jsonb: NUL and halves of surrogate pairs,
 * in names too. Both can only come as escapes: their raw bytes are not valid in UTF-8 or JSON. Null where there is neither.
 */
function brokenTextIn(json: string, parsed: unknown): string | null {
  return json.includes('\\u') ? brokenPathIn(parsed) : null
}

/** Where in a parsed body the first broken text is, as names with dots between; null where there is none. */
function brokenPathIn(value: unknown): string | null {
  if (typeof value === 'string') return isWellFormed(value) ? null : ''
  if (typeof value !== 'object' || value === null) return null
  for (const [name, entry] of Object.entries(value)) {
    if (!isWellFormed(name)) return ''
    const path = brokenPathIn(entry)
    if (path !== null) return path === '' ? name : `${name}.${path}`
  }
  return null
}

/** `what` was not well formed; `path`: the field, where there is one. */
function notWellFormed(what: string, path: string | undefined): ServiceError {
  return new ServiceError('validation_error', `${what} is not valid. It holds NUL or half a character.`, {
    ...(path !== undefined && { details: [{ path, message: words }] }),
  })
}

/** The form of a request, empty without a body. Throws `unsupported_media_type` if it is JSON. */
export function formOf(request: FastifyRequest): URLSearchParams {
  const { body = new URLSearchParams() } = request
  if (!(body instanceof URLSearchParams)) throw wrongMediaType(request)
  return body
}

/** For a body of another media type than the route takes: what to send instead. */
export function wrongMediaType({ routeOptions: { config } }: FastifyRequest): ServiceError {
  return new ServiceError('unsupported_media_type', wordsFor(config))
}

function wordsFor({ takesForm, operation }: FastifyRequest['routeOptions']['config']): string {
  if (takesForm === true)
    return 'Send a form with the header content-type: application/x-www-form-urlencoded.'
  return operation !== undefined && operation.body === undefined
    ? 'Send no body: nothing is read from it here.'
    : 'Send JSON with the header content-type: application/json.'
}
