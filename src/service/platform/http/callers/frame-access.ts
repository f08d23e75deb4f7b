import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'

/** Lets the frame's own page, and no other, call a path across origins (Fetch standard, CORS protocol). */
export interface FrameAccess {
  /** For the route: marks its answers, refusals too. */
  onRequest: (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void
  /** The route that answers a browser which asks first. */
  addPreflight: (app: FastifyInstance, path: string, allowed: { method: string; headers: string }) => void
}

/** `widgetOrigin`: where the frame is served from. */
export function createFrameAccess(widgetOrigin: string): FrameAccess {
  const headers = {
    'access-control-allow-origin': widgetOrigin,
    'access-control-expose-headers': 'date, retry-after, x-request-id',
    vary: 'origin',
  }
  return {
    onRequest(_request, reply, done) {
      reply.headers(headers)
      done()
    },
    addPreflight(app, path, allowed) {
      app.options(path, (_request, reply) =>
        reply
          .headers(headers)
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
