import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { CardServiceFault } from './card-service-fault.ts'
import type { createPages } from './pages.ts'
import { refusalStatus, refusalWords } from './refusal-words.ts'

/** Turns whatever goes wrong into an answer: words for a page's script, or a page for a person. */
export function addFaultAnswers(app: FastifyInstance, page: ReturnType<typeof createPages>): void {
  const html = 'text/html; charset=utf-8'

  app.setNotFoundHandler(async (_, reply) =>
    reply
      .code(404)
      .type(html)
      .send(await page('not-found', 'Not found')),
  )

  app.setErrorHandler(async (error, request, reply) => {
    const { status, message } = answerTo(error)
    if (status === 500) app.log.error(error)
    if (request.url.startsWith('/api/')) return reply.code(status).send({ message })
    return reply
      .code(status)
      .type(html)
      .send(await page('fault', 'Please come back soon', { message }))
  })
}

function answerTo(error: unknown): { status: number; message: string } {
  if (error instanceof CardServiceFault)
    return { status: refusalStatus(error.code), message: refusalWords(error.code, error.message) }
  const isTheirs = error instanceof v.ValiError || v.is(v.object({ statusCode: v.literal(400) }), error)
  if (isTheirs) return { status: 400, message: 'This request cannot be read.' }
  return { status: 500, message: 'Something went wrong in this shop.' }
}
