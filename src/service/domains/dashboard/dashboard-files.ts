import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as v from 'valibot'
import type { RawRequest } from '../../platform/http/app.ts'
import { answerContent, plainContentOf, precompressedContentOf } from '../../platform/http/answers/content.ts'
import type { Content } from '../../platform/http/answers/content.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import { policyOfDocument } from './security-headers.ts'

/** The dashboard's built files, in memory. */
export interface DashboardFiles {
  /** The document: the same for every page of the dashboard. */
  document: Content
  /** A `Link` header that lets a browser ask for the script and style before it has read the document. */
  link: string
  /** Scripts, styles and pictures by name. Each name holds a hash of the content. */
  assets: ReadonlyMap<string, Content>
  /** The licences of the packages in these files; null if the build wrote none. */
  notices: Content | null
}

const DOCUMENT = 'index.html'
const ASSETS = 'assets'
const COMPRESSED = '.br'
const NOTICES = 'THIRD-PARTY-NOTICES.txt'

/** Reads what `npm run build` wrote; null if the dashboard was not built. */
export function readDashboardFiles(folder: string): DashboardFiles | null {
  if (!existsSync(join(folder, DOCUMENT))) return null
  const names = existsSync(join(folder, ASSETS)) ? readdirSync(join(folder, ASSETS)) : []
  const assets = names
    .filter((name) => !name.endsWith(COMPRESSED))
    .map((name) => [name, readContent(join(folder, ASSETS, name))] as const)
  const document = readContent(join(folder, DOCUMENT))
  const notices = existsSync(join(folder, NOTICES)) ? readContent(join(folder, NOTICES)) : null
  return { document, link: linkOf(document.plain.toString()), assets: new Map(assets), notices }
}

/** With `crossorigin`, as in the document: otherwise the browser would load them twice. */
function linkOf(html: string): string {
  const script = /<script type="module" crossorigin src="([^"]+)"/.exec(html)?.[1]
  const style = /<link rel="stylesheet" crossorigin href="([^"]+)"/.exec(html)?.[1]
  return [
    ...(script === undefined ? [] : [`<${script}>; rel=modulepreload; crossorigin`]),
    ...(style === undefined ? [] : [`<${style}>; rel=preload; as=style; crossorigin`]),
  ].join(', ')
}

/** `name.br` holds the same file, compressed. */
function readContent(path: string): Content {
  const plain = readFileSync(path)
  const compressed = `${path}${COMPRESSED}`
  return existsSync(compressed)
    ? precompressedContentOf(plain, readFileSync(compressed))
    : plainContentOf(plain)
}

const FOR_EVER = 'public, max-age=31536000, immutable'

/** Browsers revalidate the document each time by its hash, so a new release shows at once. */
const DOCUMENT_HEADERS = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }

/** The first page shows the overview, so a browser with a cookie loads it together with the scripts. */
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

const NOTICES_PATH = '/THIRD-PARTY-NOTICES.txt'
const NOTICES_HEADERS = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' }

const config = { permission: 'none', isFile: true, isRoutine: true, resourceType: 'file' } as const

const AssetPath = v.object({ '*': v.string() })

/** The routes of the dashboard's document and files. */
export function addFileRoutes(app: FastifyInstance, files: DashboardFiles | null, widgetUrl: string): void {
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

/** Addresses that a browser may open as they are: downloads of the API, and files. */
const NO_PAGE = /^\/(?:api|v1|assets|THIRD-PARTY-NOTICES\.txt)(?:\/|$)/

/**
 * The path of the route that answers a request. A browser that opens a page gets the document at every address, so a page and
 * an API route may share one, such as `/agreements`.
 */
export function answeredPath({ method, headers, url = '/' }: RawRequest): string {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && !NO_PAGE.test(url) && isOpenedByPerson(headers) ? '/' : url
}

/** By Fetch Metadata, or by the Accept header if the browser sends none. */
function isOpenedByPerson(headers: RawRequest['headers']): boolean {
  const mode = headers['sec-fetch-mode']
  return mode === undefined ? headers.accept?.includes('text/html') === true : mode === 'navigate'
}
