import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Operation } from '../http/operation.ts'
import { openApiDocument } from './document.ts'
import type { Route } from './routes.ts'

interface Parts {
  routes: readonly Route[]
  version: string
  baseUrl: string
}

const documentOperation: Operation = {
  id: 'getOpenApi',
  group: 'Service',
  summary: 'This reference for machines',
  key: 'none',
  answers: [{ status: 200, words: 'An OpenAPI 3.1 document.', media: 'application/json' }],
}

/** `GET /openapi.json`: what the routes say of themselves, once all of them are there. */
export function addReferenceRoutes(app: FastifyInstance, { routes, version, baseUrl }: Parts): void {
  let document: { text: string; etag: string } | undefined

  app.get('/openapi.json', { config: { operation: documentOperation } }, (request, reply) => {
    document ??= withTag(JSON.stringify(openApiDocument(routes, { version, baseUrl }), null, 1))
    void reply.type('application/json; charset=utf-8').headers({
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      etag: document.etag,
    })
    if (request.headers['if-none-match'] === document.etag) return reply.code(304).send()
    return reply.send(document.text)
  })
}

function withTag(text: string): { text: string; etag: string } {
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` }
}
