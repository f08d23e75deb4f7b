import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_STATUS } from '../../../../contract/api/envelope.ts'
import type { Envelope, ErrorDetail } from '../../../../contract/api/envelope.ts'
import { ServiceError } from '../../errors.ts'
import { withoutSensitiveInStartOf } from '../../secrets/secret-in-text.ts'
import { countWork } from '../callers/wasted-work.ts'
import { wrongMediaType } from '../requests/bodies.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `resource.type` of the route's answers, errors too. */
    resourceType?: string
  }
}

/** Turns whatever ends a request into its answer; the one place that does. */
export function answerErrors(app: FastifyInstance): void {
  const methodsOf = allowedMethodsOf(app)
  app.setErrorHandler<FastifyError>(answerError)
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(request.url)
    if (methods.length === 0 || methods.includes(request.method))
      return send(request, reply, new ServiceError('not_found', 'There is nothing at this address.'))
    void reply.header('allow', methods.join(', '))
    return send(
      request,
      reply,
      new ServiceError(
        'method_not_allowed',
        `${request.method} is not possible here. Possible: ${methods.join(', ')}.`,
      ),
    )
  })
}

/** Answers an error in the envelope. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return countWork(request, () => send(request, reply, knownErrorOf(error, request)))
}

/** Answers errors of a route by a page, with their status: a browser would show the envelope. */
export function errorsShownBy(show: (reply: FastifyReply) => FastifyReply) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    countWork(request, () => show(withStatusOf(knownErrorOf(error, request), request, reply)))
  }
}

/** What a caller may read of an error: ours as it is, the framework's in our words, a fixed text for any other. The log has the cause. */
export function knownErrorOf(error: FastifyError, request: FastifyRequest): ServiceError {
  const known = error instanceof ServiceError ? error : fromFramework(request, error)
  const cause = known === null ? error : known.cause
  if (cause !== undefined) request.log.error({ err: cause }, 'request failed')
  return known ?? new ServiceError('system_error', SYSTEM_ERROR)
}

const SYSTEM_ERROR = 'Something went wrong on our side. Try again; if it stays, tell us the x-request-id.'

function withStatusOf(error: ServiceError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = ERROR_STATUS[error.code]
  void reply.header('x-request-id', request.id)
  if (error.retryAfter !== undefined) void reply.header('retry-after', String(error.retryAfter))
  if (error.acceptEncoding !== undefined) void reply.header('accept-encoding', error.acceptEncoding)
  const challenge = error.challenge ?? (status === 401 ? 'ApiKey' : undefined)
  if (challenge !== undefined) void reply.header('www-authenticate', challenge)
  return reply.code(status)
}

function send(request: FastifyRequest, reply: FastifyReply, error: ServiceError): FastifyReply {
  const status = ERROR_STATUS[error.code]
  const envelope: Envelope = {
    status,
    error: answeredError(error),
    resource: { type: resourceTypeOf(request), data: error.resource },
  }
  return withStatusOf(error, request, reply).type('application/json; charset=utf-8').send(envelope)
}

/** A request that was refused before its route was found has none. */
function resourceTypeOf(request: FastifyRequest): string {
  return request.is404 ? 'error' : (request.routeOptions.config.resourceType ?? 'error')
}

/** What the HTTP framework refuses by itself, before a route is reached. */
function fromFramework(request: FastifyRequest, error: FastifyError): ServiceError | null {
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return wrongMediaType(request)
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ServiceError(
      'body_too_large',
      `A request body may have ${request.routeOptions.bodyLimit} bytes at most here.`,
    )
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ServiceError('validation_error', 'The request could not be read.')
  }
  return null
}

/** Watches the routes as they are added; the result tells which methods an address would take. */
function allowedMethodsOf(app: FastifyInstance): (url: string) => string[] {
  const routes: { pattern: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ pattern: patternOf(url), methods: [method].flat() })
  })
  return (url) => {
    const path = url.replace(/[?#].*/s, '').replace(/(?<=.)\/$/, '')
    const matching = routes.filter(({ pattern }) => pattern.test(path))
    return [...new Set(matching.flatMap(({ methods }) => methods))].sort()
  }
}

/** `/v1/charges/:id` → what matches `/v1/charges/anything`. */
function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`)
}

/** So few and so short that no error takes more than 16 kB, whatever the request was. */
const MAX_DETAILS = 16
const LONGEST_PATH = 100
const LONGEST_MESSAGE = 180
/** Characters that JSON would escape with six characters each. */
const unprintable = /[\p{C}\u2028\u2029]/gu

/**
 * `error` of an answer (contract §2). Names that a caller made up stand in its paths: they are cut, and hidden when what is left
 * holds a card number or a secret. After 16 details a last one says how many more there are.
 */
export function answeredError({
  code,
  message,
  details,
}: Pick<ServiceError, 'code' | 'message' | 'details'>): NonNullable<Envelope['error']> {
  const said = { code, message: shown(message, LONGEST_MESSAGE) }
  return details === undefined ? said : { ...said, details: shownDetails(details) }
}

function shownDetails(details: readonly ErrorDetail[]): ErrorDetail[] {
  const first = details.slice(0, MAX_DETAILS).map(({ path, message }) => ({
    path: shown(path, LONGEST_PATH),
    message: shown(message, LONGEST_MESSAGE),
  }))
  const more = details.length - first.length
  return more === 0 ? first : [...first, { path: '', message: `and ${more} more` }]
}

function shown(text: string, longest: number): string {
  return withoutSensitiveInStartOf(text, longest).replace(unprintable, '�')
}
