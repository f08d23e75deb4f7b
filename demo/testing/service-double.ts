import fastify from 'fastify'

/** A request that the double has got. */
export interface Asked {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  body: unknown
}

/** An answer: the error or the resource of the envelope, or another body. */
export interface Reply {
  status?: number
  error?: { code: string; message: string }
  data?: unknown
  body?: object
}

/** A card service for tests, which gives the answers of a test and records the requests. */
export async function startServiceDouble(answer: (asked: Asked) => Reply) {
  const asked: Asked[] = []
  const app = fastify({ forceCloseConnections: true })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) => {
    done(null, body)
  })
  app.all('/*', async (request, reply) => {
    const { method, url: path, headers, body } = request
    const one = { method, path, headers, body }
    asked.push(one)
    const { status = 200, error = null, data = null, body: whole } = answer(one)
    return reply
      .code(status)
      .header('etag', '"7"')
      .send(whole ?? { status, error, resource: { type: 'double', data } })
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, asked, close: () => app.close() }
}
