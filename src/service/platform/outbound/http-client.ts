import { Agent as HttpAgent, request as sendHttp } from 'node:http'
import type { ClientRequest } from 'node:http'
import { Agent as HttpsAgent, request as sendHttps } from 'node:https'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { exchange } from './exchange.ts'
import type { Answer, Limits } from './exchange.ts'
import { codeOf, NoAnswer } from './no-answer.ts'

/** A request to a server that is not ours. */
export interface OutboundRequest {
  /** POST when left out. */
  method?: 'GET' | 'POST'
  url: string
  headers: Readonly<Record<string, string>>
  /** JSON; '' of a GET. */
  body: string
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal
}

/** Sends a request and resolves with the answer, or rejects with a `NoAnswer`: one of both, within the time that it has. */
export type SendRequest = (request: OutboundRequest) => Promise<Answer>

interface Settings extends Limits {
  /** How long a connection is kept for the next request to the same server, in ms; 0 keeps none. */
  idleMs: number
  /** Whether a server at this IP address may be spoken to; asked of the very address that is connected to. */
  mayReach?: (address: string) => boolean
  /** Finds the addresses of a name, with the same guard; the system's own when left out. */
  lookup?: LookupFunction
}

/** Connections to one server that are kept at most. */
const MOST_IDLE = 32

/**
 * The one way in which the service speaks to somebody else's server. It follows no redirects: a server that was let
 * through may not send us on to one that was not, and what a request holds goes where it was meant to go.
 */
export function createHttpClient(settings: Settings): SendRequest {
  const { idleMs, mayReach = () => true, lookup } = settings
  const keepsConnections = idleMs > 0
  const keeping = { keepAlive: true, timeout: idleMs, maxFreeSockets: MOST_IDLE }
  const agents = keepsConnections
    ? { http: new HttpAgent(keeping), https: new HttpsAgent(keeping) }
    : { http: false, https: false }
  return async (outbound) => {
    let request: ClientRequest
    try {
      const { protocol, hostname } = new URL(outbound.url)
      const host = hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !mayReach(host)) throw new NoAnswer('NOT_PUBLIC', false)
      const isPlain = protocol === 'http:'
      request = (isPlain ? sendHttp : sendHttps)(outbound.url, {
        method: outbound.method ?? 'POST',
        headers:
          outbound.method === 'GET' ? outbound.headers : { ...outbound.headers, ...bodyHeadersOf(outbound) },
        agent: isPlain ? agents.http : agents.https,
        ...(lookup !== undefined && { lookup }),
      })
    } catch (error) {
      throw new NoAnswer(codeOf(error), false)
    }
    return exchange(request, outbound, { ...settings, keepsConnections })
  }
}

function bodyHeadersOf({ body }: OutboundRequest) {
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
}
