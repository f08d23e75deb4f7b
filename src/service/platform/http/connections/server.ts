import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { refuseRequest, watchRequests } from './broken-request.ts'
import { limitConnections } from './connection-limits.ts'
import type { ConnectionLimits } from './connection-limits.ts'

/** How long a client may take, in ms, and how much of the process one may hold. */
export interface ServerLimits extends ConnectionLimits {
  /** By when a request's headers (`headersMs`) and all of it (`requestMs`) must have come; else it is answered 408. */
  headersMs: number
  requestMs: number
  /** How long a connection may be idle. */
  keepAliveMs: number
}

/** Node tells the two times apart only where the first is the shorter one: else it swaps them. */
export const SERVER_LIMITS: ServerLimits = {
  headersMs: 9000,
  requestMs: 15_000,
  checkEveryMs: 500,
  // Longer than load balancers keep theirs, so that none sends into a connection that is about to end.
  keepAliveMs: 72_000,
  unreadMs: 20_000,
  // About 1 kB a second: slower than any line on which a page can be used.
  slowMs: 60_000,
  slowBytes: 64 * 1024,
  maxUnanswered: 16,
  maxConnections: 10_000,
  maxPerCaller: 2500,
  maxPerSite: 5000,
}

/**
 * Node's HTTP server with limits on what a client may take, and with HTTP's own rules for `Host` and `Expect` answered in
 * the envelope. `isTrusted` tells proxies, which speak for many, by their addresses.
 */
export function createHttpServer(
  handle: RequestListener,
  limits: ServerLimits,
  isTrusted: (address: string) => boolean,
): Server {
  const { headersMs, requestMs, keepAliveMs, checkEveryMs } = limits
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkEveryMs,
    requireHostHeader: false,
  })
  const mayAsk = limitConnections(server, limits, isTrusted)
  watchRequests(server)
  server.on('request', (request, response) => {
    if (!mayAsk(request, response)) return
    const fault = hostFaultOf(request)
    if (fault === null) handle(request, response)
    else refuseRequest(response, 400, fault)
  })
  server.on('checkExpectation', (_request, response) => {
    refuseRequest(response, 417, 'The only Expect that is met here is 100-continue.')
  })
  return server
}

/** RFC 9112 §3.2: a request has one Host; before HTTP/1.1 it may have none. */
function hostFaultOf({ rawHeaders, httpVersion }: IncomingMessage): string | null {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return null
  return hosts === 0 ? 'The request has no Host.' : 'The request has more than one Host.'
}
