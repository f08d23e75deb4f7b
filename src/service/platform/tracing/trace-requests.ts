import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Span, Tracer } from './tracer.ts'

/** The thing that an answer shows, such as a charge: webhooks about it have the same id in their spans. */
const RESOURCE_ID = /"data":\{"_?id":"([\da-f]{24})"/

/**
 * Each request is a span, by its route and never by its path, which may hold more than a name. It goes on with the trace of a
 * caller that sends `traceparent`.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request
    if (routeOptions.config.isRoutine !== true) {
      const name = `${method} ${routeOptions.url ?? 'none'}`
      spans.set(request, tracer.begin('server', name, headers))
    }
    done()
  })
  // Runs after the body was read: before that, asynchronous context belongs to the connection, not to the request.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else span.within(done)
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    const [, id] = (typeof payload === 'string' ? RESOURCE_ID.exec(payload) : null) ?? []
    if (id !== undefined) spans.get(request)?.add({ 'svc.resource_id': id })
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.add({
      'http.request.method': request.method,
      'http.route': request.routeOptions.url ?? 'none',
      'http.response.status_code': reply.statusCode,
      'svc.request_id': request.id,
    })
    span?.end({ hasFailed: reply.statusCode >= 500 })
    done()
  })
}
