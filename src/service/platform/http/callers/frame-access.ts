import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'

/** Lets the frame's own page, and no other, call a path across origins (Fetch standard, CORS protocol). */
export interface FrameAccess {
  /** For the route: marks its answers, refusals too. */
  onRequest: (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void
  /** The route that answers a browser which asks first. */
  addPreflight: (app: FastifyInstance, path: string, allowed: { method: string; headers: string }) => void
}

/** `origins`: where the frame is served from; an answer names the one that asks, or else the first. */
export function createFrameAccess(origins: readonly [string, ...string[]]): FrameAccess {
  const headersFor = ({ headers: { origin } }: FastifyRequest) => ({
    'access-control-allow-origin': origins.find((own) => own === origin) ?? origins[0],
    'access-control-expose-headers': 'date, retry-after, x-request-id',
    vary: 'origin',
  })
  return {
    onRequest(request, reply, done) {
      reply.headers(headersFor(request))
      done()
    },
    addPreflight(app, path, allowed) {
      app.options(path, (request, reply) =>
        reply
          .headers(headersFor(request))
          .headers({
            'access-control-allow-methods': allowed.method,
            'access-control-allow-headers': allowed.headers,
            'access-control-max-age': '7200',
          })
          .code(204)
          .send(),
      )
    },
  }
}
