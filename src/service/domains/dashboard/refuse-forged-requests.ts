import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../platform/errors.ts'

/**
 * Refuses requests that another origin's page made the browser send with its cookie. A change must have the dashboard as its
 * `Origin`, which no page can forge, and be JSON, which no form can send. A read is refused if the browser says that another
 * origin asks (`Sec-Fetch-Site`). docs/decisions.md says why there is no token.
 */
export function refuseForgedRequests(app: FastifyInstance, origin: string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const fault = isSafe(request.method) ? faultOfRead(request) : faultOfChange(request, origin)
    if (fault === null) done()
    else done(fault)
  })
}

/** Methods that only read (RFC 9110, section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

export function isSafe(method: string): boolean {
  return SAFE.has(method)
}

function faultOfRead({ headers }: FastifyRequest): ServiceError | null {
  const isNavigation = headers['sec-fetch-mode'] === 'navigate'
  // A link on another page may open the dashboard, without the cookie, which is SameSite=Strict.
  return isNavigation || isOwn(headers['sec-fetch-site']) ? null : forged()
}

/** `none`: the person typed the address. Browsers send the header to https and localhost; other clients do not. */
function isOwn(site: string | string[] | undefined): boolean {
  return site === undefined || site === 'same-origin' || site === 'none'
}

function faultOfChange({ headers, method }: FastifyRequest, origin: string): ServiceError | null {
  const site = headers['sec-fetch-site']
  if (headers.origin !== origin || (site !== undefined && site !== 'same-origin')) return forged()
  const hasBody = headers['content-length'] !== undefined && headers['content-length'] !== '0'
  const isJson = /^application\/json *(?:;|$)/i.test(headers['content-type'] ?? '')
  const mayBeEmpty = method === 'DELETE' && !hasBody && headers['transfer-encoding'] === undefined
  return isJson || mayBeEmpty ? null : notJson()
}

function forged(): ServiceError {
  return new ServiceError('forbidden', 'Only pages of the dashboard itself may ask this.')
}

function notJson(): ServiceError {
  const words = 'Send JSON with the header content-type: application/json.'
  return new ServiceError('unsupported_media_type', words)
}
