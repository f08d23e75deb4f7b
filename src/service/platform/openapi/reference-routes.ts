import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../http/operation.ts'
import { isDescribed, openApiDocument } from './document.ts'
import { referencePage } from './reference-page.ts'
import { referenceScript } from './reference-script.ts'
import { referenceStyle } from './reference-style.ts'
import type { Route } from './routes.ts'

interface Parts {
  routes: readonly Route[]
  version: string
  baseUrl: string
  oauthIssuer: string | undefined
}

const documentOperation: Operation = {
  id: 'getOpenApi',
  group: 'Service',
  summary: 'This reference for machines',
  key: 'none',
  isReference: true,
  answers: [{ status: 200, words: 'An OpenAPI 3.1 document.', media: 'application/json' }],
}
const pageOperation: Operation = {
  id: 'getReference',
  group: 'Service',
  summary: 'This reference for people',
  key: 'none',
  isReference: true,
  answers: [{ status: 200, words: 'A page for browsers.', media: 'text/html' }],
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64')

/** What the page may do (CSP 3): its own style and script, known by their hashes, and nothing else. */
const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hashOf(referenceStyle)}'`,
  `script-src 'sha256-${hashOf(referenceScript)}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** `GET /openapi.json` and `GET /docs`: what the routes say of themselves, once all of them are there. */
export function addReferenceRoutes(
  app: FastifyInstance,
  { routes, version, baseUrl, oauthIssuer }: Parts,
): void {
  const json = once(() => JSON.stringify(openApiDocument(routes, { version, baseUrl, oauthIssuer }), null, 1))
  const page = once(() => referencePage(routes.filter(isDescribed), baseUrl))

  app.get('/openapi.json', { config: { operation: documentOperation } }, (request, reply) => {
    void reply.type('application/json; charset=utf-8').header('access-control-allow-origin', '*')
    return sendTagged(request, reply, json())
  })
  app.get('/docs', { config: { operation: pageOperation } }, (request, reply) => {
    void reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_POLICY)
    return sendTagged(request, reply, page())
  })
}

interface Tagged {
  text: string
  etag: string
}

/** Made when it is first asked for: routes are added until the service listens. */
function once(make: () => string): () => Tagged {
  let made: Tagged | undefined
  return () => {
    if (made === undefined) {
      const text = make()
      made = { text, etag: `"${hashOf(text)}"` }
    }
    return made
  }
}

function sendTagged({ headers }: FastifyRequest, reply: FastifyReply, { text, etag }: Tagged): FastifyReply {
  void reply.headers({ 'cache-control': 'no-cache', etag })
  return headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(text)
}
