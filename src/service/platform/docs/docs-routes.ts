import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'
import type { Operation } from '../http/operation.ts'
import { isDescribed } from '../openapi/document.ts'
import type { Route } from '../openapi/routes.ts'
import { sendTagged } from '../openapi/send-tagged.ts'
import { findScript } from './find-script.ts'
import { markup } from './markup.ts'
import { documentOf, style } from './page-shell.ts'
import type { DocsPage, MenuGroup } from './page-shell.ts'
import { docsSite } from './site.ts'
import type { Served } from './guides.ts'
import { answer } from '../http/answers/answer.ts'

const operation: Operation = {
  id: 'getDocumentation',
  group: 'Service',
  summary: 'The documentation for people',
  key: 'none',
  isReference: true,
  answers: [{ status: 200, words: 'A page for browsers.', media: 'text/html' }],
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64')

/**
 * What a page may do (CSP 3): its own style and, where it finds, its own script, known by their hashes. It loads nothing, and
 * stands in an origin of its own (`sandbox`), so it reaches nothing of the pages that cards are typed into.
 */
function policyOf(script: string | undefined): string {
  return [
    `sandbox allow-top-navigation-by-user-activation${script === undefined ? '' : ' allow-scripts'}`,
    "default-src 'none'",
    `style-src 'sha256-${hashOf(style)}'`,
    ...(script === undefined ? [] : [`script-src 'sha256-${hashOf(script)}'`]),
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const POLICIES = { reads: policyOf(undefined), finds: policyOf(findScript) }

/** What stands at an address of the documentation that has no page. */
const lostPage: DocsPage = {
  path: '',
  title: 'There is no such page',
  summary: 'Nothing is at this address.',
  parts: [],
  body: markup`<h1>There is no such page</h1>
<p class="lead">The address may be mistyped, or the page has another one now.</p>
<p><a href="/docs">See all pages</a>, or <a href="/docs/find">find</a> what you look for.</p>`,
}

interface Parts {
  routes: readonly Route[]
  served: Served
}

/** `GET /docs` and the pages below it; `GET /` leads people there, and tells programs where it is. */
export function addDocsRoutes(app: FastifyInstance, { routes, served }: Parts): void {
  // Made when it is first asked for: routes are added until the service listens.
  let site: ReturnType<typeof docsSite> | undefined
  const documents = new Map<string, { body: Buffer; etag: string }>()

  function show(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    site ??= docsSite(routes.filter(isDescribed), served)
    const path = (request.url.split('?')[0] ?? '').replace(/\/$/, '')
    const page = site.pages.get(path)
    if (page === undefined) return refuse(request, reply, site.menu)
    let known = documents.get(path)
    if (known === undefined) {
      const text = documentOf(page, site.menu)
      known = { body: Buffer.from(text), etag: `"${hashOf(text)}"` }
      documents.set(path, known)
    }
    asDocument(reply, page)
    return sendTagged(request, reply, known)
  }

  app.get('/docs', { config: { operation } }, show)
  app.get('/docs/*', show)
  app.get('/', (request, reply) => {
    if (isBrowser(request)) return reply.header('vary', 'accept').redirect('/docs')
    const { baseUrl } = served
    return answer(reply.header('vary', 'accept'), 200, 'service', {
      documentation: `${baseUrl}/docs`,
      openapi: `${baseUrl}/openapi.json`,
      health: `${baseUrl}/health`,
    })
  })
}

function asDocument(reply: FastifyReply, { script }: DocsPage): void {
  void reply.type('text/html; charset=utf-8')
  void reply.header('content-security-policy', script === undefined ? POLICIES.reads : POLICIES.finds)
}

const isBrowser = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true

/** A person is shown the menu; a program gets an error as everywhere. */
function refuse(request: FastifyRequest, reply: FastifyReply, menu: readonly MenuGroup[]): FastifyReply {
  if (!isBrowser(request))
    throw new ServiceError('not_found', 'There is no such page. They are listed at /docs.')
  asDocument(reply, lostPage)
  return reply.code(404).send(documentOf(lostPage, menu))
}
