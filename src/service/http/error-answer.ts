import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_STATUS } from '../../contract/envelope.ts'
import type { Envelope } from '../../contract/envelope.ts'
import { ServiceError } from '../errors.ts'
import { allowedMethodsOf } from './allowed-methods.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `resource.type` of the route's answers, errors too. */
    resourceType?: string
  }
}

/** Turns whatever ends a request into its answer; the one place that does. */
export function answerErrors(app: FastifyInstance): void {
  const methodsOf = allowedMethodsOf(app)
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const known = error instanceof ServiceError ? error : fromFramework(error)
    if (known === null) request.log.error({ err: error }, 'request failed')
    return send(
      request,
      reply,
      known ??
        new ServiceError(
          'system_error',
          'Something went wrong on our side. Try again; if it stays, tell us the x-request-id.',
        ),
    )
  })
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(request.url)
    if (methods.length === 0 || methods.includes(request.method))
      return send(request, reply, new ServiceError('not_found', 'There is nothing at this address.'))
    void reply.header('allow', methods.join(', '))
    return send(
      request,
      reply,
      new ServiceError('method_not_allowed', `Use ${methods.join(' or ')} at this address.`),
    )
  })
}

function send(request: FastifyRequest, reply: FastifyReply, error: ServiceError): FastifyReply {
  const status = ERROR_STATUS[error.code]
  const { code, message, details } = error
  const envelope: Envelope = {
    status,
    error: details === undefined ? { code, message } : { code, message, details },
    resource: { type: request.routeOptions.config.resourceType ?? 'error', data: error.resource },
  }
  if (error.retryAfter !== undefined) void reply.header('retry-after', String(error.retryAfter))
  if (error.code === 'unauthorized') void reply.header('www-authenticate', 'ApiKey')
  return reply.code(status).type('application/json; charset=utf-8').send(envelope)
}

/** What the HTTP framework refuses by itself, before a route is reached. */
function fromFramework(error: FastifyError): ServiceError | null {
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ServiceError(
      'unsupported_media_type',
      'Send JSON with the header content-type: application/json.',
    )
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ServiceError('body_too_large', 'A request body may have 64 KiB at most.')
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ServiceError('validation_error', 'The request could not be read.')
  }
  return null
}
