import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../platform/errors.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { isDescribed } from '../openapi/document.ts'
import type { Route } from '../openapi/routes.ts'
import { answerContent, compressibleContentOf } from '../../platform/http/answers/content.ts'
import type { Content } from '../../platform/http/answers/content.ts'
import { script } from '../../../docs/main.ts?script'
import { markup } from '../../platform/markup.ts'
import { documentOf, SEARCH_ENTRIES_PATH, SCRIPT_PATH, style } from './page-shell.ts'
import type { DocsPage } from './page-shell.ts'
import { docsSite } from './site.ts'
import type { Served } from './guides.ts'
import { answer } from '../../platform/http/answers/answer.ts'

const operation: Operation = {
  id: 'getDocumentation',
  group: 'Service',
  summary: 'The documentation for people',
  key: 'none',
  isReference: true,
  answers: [{ status: 200, words: 'A page for browsers.', media: 'text/html' }],
}

/** A hash as a policy or the attribute `integrity` writes it. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64')

/** By what a browser knows the script of the pages. */
const INTEGRITY = `sha256-${hashOf(script)}`

/**
 * What a page may do (CSP 3): its own style and the script of these pages, known by their hashes; the script may ask this service.
 * It stands in an origin of its own (`sandbox`), so it reaches nothing of the pages that cards are typed into.
 */
const policyAt = (baseUrl: string): string =>
  [
    'sandbox allow-scripts allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    `style-src 'sha256-${hashOf(style)}'`,
    `script-src '${INTEGRITY}'`,
    // WebKit reads 'self' as the page's own origin, and this page has none.
    `connect-src 'self' ${baseUrl}${SEARCH_ENTRIES_PATH}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** To a page in an origin of its own, this service is another one. */
const OPEN = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }

/** How much is made of compressing: pages are made once for each process. */
const BROTLI_QUALITY = 9

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
  const contents = new Map<string, Content>()
  const contentOf = (path: string, write: () => string): Content => {
    const known =
      contents.get(path) ?? compressibleContentOf(Buffer.from(write()), { brotliQuality: BROTLI_QUALITY })
    contents.set(path, known)
    return known
  }

  const asPage = headersOf('text/html', { 'content-security-policy': policyAt(served.baseUrl) })
  const made = () => (site ??= docsSite(routes.filter(isDescribed), served))

  async function show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { pages, menu } = made()
    const path = (request.url.split('?')[0] ?? '').replace(/\/$/, '')
    const page = pages.get(path)
    if (page === undefined) {
      // A person is shown the menu; a program gets an error as everywhere.
      if (!isBrowser(request))
        throw new ServiceError('not_found', 'There is no such page. They are listed at /docs.')
      return reply
        .code(404)
        .headers(asPage)
        .send(documentOf(lostPage, menu, INTEGRITY))
    }
    const content = contentOf(path, () => documentOf(page, menu, INTEGRITY))
    return answerContent(request, reply, content, asPage)
  }

  app.get('/docs', { config: { operation } }, show)
  app.get('/docs/*', show)
  app.get(SCRIPT_PATH, (request, reply) =>
    answerContent(
      request,
      reply,
      contentOf(SCRIPT_PATH, () => script),
      headersOf('text/javascript', OPEN),
    ),
  )
  app.get(SEARCH_ENTRIES_PATH, (request, reply) => {
    const content = contentOf(SEARCH_ENTRIES_PATH, () => JSON.stringify(made().searched))
    return answerContent(request, reply, content, headersOf('application/json', OPEN))
  })
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

const headersOf = (type: string, more: Readonly<Record<string, string>>): Record<string, string> => ({
  'content-type': `${type}; charset=utf-8`,
  'cache-control': 'no-cache',
  ...more,
})

const isBrowser = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true
