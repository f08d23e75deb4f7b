import type { FastifyInstance, FastifyReply } from 'fastify'
import * as v from 'valibot'
import { answerContent } from '../../../platform/http/answers/content.ts'
import { decode } from '../../../platform/http/requests/decode.ts'
import { policyOfDocument } from '../host/security-headers.ts'
import type { DashboardFiles } from './dashboard-files.ts'
import type { RawRequest } from '../../../platform/http/app.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'

/** Browsers revalidate it each time, by its hash: a new release shows at once, and costs nothing until then. */
const DOCUMENT_HEADERS = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }

/**
 * The first page shows the overview: a browser with a cookie gets it together with the page's scripts, which ask for it under the
 * same address.
 */
const OVERVIEW_LINK = '</api/overview>; rel=preload; as=fetch; crossorigin'

const TYPES = new Map([
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['ico', 'image/x-icon'],
  ['json', 'application/json; charset=utf-8'],
  ['webmanifest', 'application/manifest+json'],
  ['woff2', 'font/woff2'],
])

/** Licences of the packages whose code the dashboard's files contain. */
const NOTICES_PATH = '/THIRD-PARTY-NOTICES.txt'
const NOTICES_HEADERS = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' }

const config = { permission: 'none', isFile: true, isRoutine: true, resourceType: 'file' } as const

const AssetPath = v.object({ '*': v.string() })

interface Parts {
  /** Null where the dashboard was not built. */
  files: DashboardFiles | null
  /** Origin that the SDK is served from. */
  widgetUrl: string
}

/** The dashboard's document and its files. */
export function addShellRoutes(app: FastifyInstance, { files, widgetUrl }: Parts): void {
  const documentHeaders = { ...DOCUMENT_HEADERS, 'content-security-policy': policyOfDocument(widgetUrl) }
  app.get('/', { config }, (request, reply) => {
    if (files === null) return notBuilt(reply)
    const isFirstPage = request.originalUrl === '/' && request.headers.cookie !== undefined
    const link = [files.link, isFirstPage ? OVERVIEW_LINK : ''].filter((part) => part !== '').join(', ')
    return answerContent(request, reply, files.document, { ...documentHeaders, ...(link !== '' && { link }) })
  })

  app.get(NOTICES_PATH, { config }, (request, reply) => {
    if (files?.notices !== null && files?.notices !== undefined)
      return answerContent(request, reply, files.notices, NOTICES_HEADERS)
    reply.callNotFound()
    return reply
  })

  app.get('/assets/*', { config }, async (request, reply) => {
    const name = decode(AssetPath, request.params)['*']
    const content = files?.assets.get(name)
    if (content !== undefined) {
      const type = TYPES.get(name.slice(name.lastIndexOf('.') + 1)) ?? 'application/octet-stream'
      return answerContent(request, reply, content, { 'content-type': type, 'cache-control': FOR_EVER })
    }
    reply.callNotFound()
    return reply
  })
}

function notBuilt(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .type('text/plain; charset=utf-8')
    .send('The dashboard is not built here: run `npm run build`, then start the service again.\n')
}

/** Addresses that show themselves to a person too: of the API (a download) and of files. */
const NO_PAGE = /^\/(?:api|v1|assets|THIRD-PARTY-NOTICES\.txt)(?:\/|$)/

/**
 * The path that a request is answered by: what a browser is to show as a page is the dashboard's document, whatever its
 * address. A page of the dashboard and an answer of the API may so have the same address, such as `/agreements`.
 */
export function answeredPath({ method, headers, url = '/' }: RawRequest): string {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && !NO_PAGE.test(url) && isOpenedByPerson(headers) ? '/' : url
}

/** Browsers say so (Fetch Metadata); for one that does not, its Accept header decides. */
function isOpenedByPerson(headers: RawRequest['headers']): boolean {
  const mode = headers['sec-fetch-mode']
  return mode === undefined ? headers.accept?.includes('text/html') === true : mode === 'navigate'
}
