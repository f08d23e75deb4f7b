import {
  mixedContent,
  originUnknown,
  publicKeyMissing,
  secretKeyInPage,
  originNotAllowed,
  pageFromDisk,
  pageSandboxed,
  blockedByHeader,
  notTheService,
} from './widget-faults.ts'
import type { WidgetError } from '../widget-error.ts'

/** Addresses of the machine itself, which browsers trust without https. */
const ITS_OWN = /^http:\/\/(?:localhost|[^/]+\.localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/

/** Why no form can come from an origin, before it is asked; null where one may. */
export function originFault(origin: string): WidgetError | null {
  if (origin === '') return originUnknown()
  const isMixed = location.protocol === 'https:' && origin.startsWith('http:') && !ITS_OWN.test(origin)
  return isMixed ? mixedContent(origin) : null
}

/** Why a public key must not be sent; null where it may. A page without types may pass anything. */
export function keyFault(key: unknown): WidgetError | null {
  if (typeof key !== 'string' || key === '') return publicKeyMissing(key)
  return key.trim().startsWith('sk_') ? secretKeyInPage() : null
}

/**
 * Why a form does not come: what the page itself knows, else what the document's own policy says; null where nothing is against it.
 * Browsers do not tell a page. A fault that may pass is only likely.
 */
export async function loadRefusalOf(origin: string, path: string): Promise<WidgetError | null> {
  if (location.protocol === 'file:') return pageFromDisk()
  if (window.origin === 'null') return pageSandboxed()
  const answer = await answerOf(origin + path, 'cors')
  if (answer === null) return (await answerOf(origin, 'no-cors')) && notTheService(origin)
  return answer.ok ? refusalIn(answer.headers, origin) : notTheService(origin)
}

async function answerOf(address: string, mode: RequestMode): Promise<Response | null> {
  try {
    // oxlint-disable-next-line no-restricted-globals -- the page's requests of ours, where a form does not come
    return await fetch(address, { method: 'HEAD', mode, credentials: 'omit' })
  } catch {
    return null
  }
}

/** A proxy may have added to what the service says. */
function refusalIn(headers: Headers, origin: string): WidgetError | null {
  const policies = (headers.get('content-security-policy') ?? '').matchAll(/frame-ancestors ([^;,]+)/g)
  const lists = [...policies].map(([, list = '']) => list.split(' '))
  // Firefox does not tell which pages a page is shown in.
  const pages = [location.origin, ...('ancestorOrigins' in location ? location.ancestorOrigins : [])]
  const stranger = pages.find(
    (page) => !lists.every((list) => list.some((source) => allows(source, page, origin))),
  )
  if (stranger !== undefined) return originNotAllowed(origin, stranger)
  if (lists.length === 0 && headers.has('x-frame-options')) return blockedByHeader(origin)
  return null
}

/** Whether a source of `frame-ancestors` lets a page show the form; `*` stands for every page of the web, within a host for its beginning. */
function allows(source: string, page: string, origin: string): boolean {
  if (source === "'self'") return page === origin
  const [start = '', end] = source.split('*')
  return end === undefined
    ? page === source
    : page.startsWith('http') && page.startsWith(start) && page.endsWith(end)
}
