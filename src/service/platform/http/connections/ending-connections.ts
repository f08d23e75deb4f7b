import type { FastifyInstance } from 'fastify'

/**
 * Once the server is closing, each answer is the last on its connection, and says so: a client that keeps connections
 * alive sends its next request elsewhere rather than into one that is about to end.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) void reply.header('connection', 'close')
    done(null, payload)
  })
}
