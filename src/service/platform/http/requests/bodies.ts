import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import { jsonReader } from './json-body.ts'
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
 * another type than the route takes.
 */
export function readBodies(app: FastifyInstance): void {
  // Else bodies of these would be skipped without a word, and one that says which amount is meant may be among them.
  for (const method of ['GET', 'HEAD'])
    app.addHttpMethod(method, { hasBody: true, overrideExisting: true })
  const readJson = jsonReader(app)
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    // The framework would look at the type first, and refuse one that is none.
    if (raw.headers['content-length'] === '0') delete raw.headers['content-type']
    done()
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    const body = Buffer.from(bytes)
    if (body.length === 0) done(null, undefined)
    else if (!takesBody(request)) done(null, body.toString('latin1').trim() === '{}' ? {} : UNREAD)
    else if (isCoded(request)) done(compressed())
    else if (request.mediaType === JSON_TYPE) readJson(request, body, done)
    else if (request.mediaType === FORM_TYPE && request.routeOptions.config.takesForm === true)
      readForm(body, done)
    else done(wrongMediaType(request))
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A browser sends a form to anyone's server, so only routes that say so may take one. */
function readForm(body: Buffer, done: (error: Error | null, form?: URLSearchParams) => void): void {
  let text: string
  try {
    text = utf8.decode(body)
  } catch {
    done(new ServiceError('validation_error', 'The form is not written in UTF-8.'))
    return
  }
  done(null, new URLSearchParams(text))
}

/** Whether a route may read a body; one without a description does as its method does. */
function takesBody({ method, routeOptions: { config } }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return config.operation === undefined || config.takesForm === true || config.operation.body !== undefined
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
