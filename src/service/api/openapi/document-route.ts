import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../platform/http/operation.ts'
import { openApiDocument } from './document.ts'
import type { Route } from './routes.ts'

interface Parts {
  routes: readonly Route[]
  version: string
  baseUrl: string
  oauthIssuer: string | undefined
}

const operation: Operation = {
  id: 'getOpenApi',
  group: 'Service',
  summary: 'The documentation for machines',
  key: 'none',
  isReference: true,
  answers: [{ status: 200, words: 'An OpenAPI 3.1 document.', media: 'application/json' }],
}

/** `GET /openapi.json`: what the routes say of themselves, once all of them are there. */
export function addDocumentRoute(app: FastifyInstance, { routes, ...settings }: Parts): void {
  let made: { body: Buffer; etag: string } | undefined
  app.get('/openapi.json', { config: { operation } }, (request, reply) => {
    if (made === undefined) {
      const body = Buffer.from(JSON.stringify(openApiDocument(routes, settings), null, 1))
      made = { body, etag: `"${createHash('sha256').update(body).digest('base64')}"` }
    }
    void reply.type('application/json; charset=utf-8').header('access-control-allow-origin', '*')
    return sendTagged(request, reply, made)
  })
}

/** Answers with a text that a browser keeps, or with 304 where it has it already. */
function sendTagged(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: { body: Buffer; etag: string },
): FastifyReply {
  void reply.headers({ 'cache-control': 'no-cache', etag })
  return headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(body)
}
