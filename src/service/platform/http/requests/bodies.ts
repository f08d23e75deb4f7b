import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { ServiceError } from '../../errors.ts'
import { countWork } from '../callers/wasted-work.ts'
import { jsonReader } from './json-body.ts'
import type { ReadBody } from './json-body.ts'
import { wrongMediaType } from './wrong-media-type.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes a form (`application/x-www-form-urlencoded`) as its body, and gets `URLSearchParams`. */
    takesForm?: boolean
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
    // The framework would look at the type of an empty body, and refuse one that is none.
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
