import { request as sendHttp } from 'node:http'
import type { ClientRequest } from 'node:http'
import { request as sendHttps } from 'node:https'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { monotonicClock } from '../clocks.ts'
import { exchange } from './exchange.ts'
import type { Answer, Limits } from './exchange.ts'
import { keepingAgents, NO_AGENTS } from './kept-connections.ts'
import type { Agents } from './kept-connections.ts'
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
  /** Whether a request may come twice: one that got no answer as its server closed a kept connection is sent once more by a new one. */
  mayRepeat?: boolean
  /** Whether a server at this IP address may be spoken to; asked of the very address that is connected to. */
  mayReach?: (address: string) => boolean
  /** Finds the addresses of a name, with the same guard; the system's own when left out. */
  lookup?: LookupFunction
}

/** Errors of a connection that was closed before its answer: the server may or may not have received the request. */
const LOST = new Set(['ECONNRESET', 'EPIPE', 'CLOSED'])

/**
 * The only way in which the service calls other parties' servers. It follows no redirects: an allowed server could redirect to a
 * forbidden one, and the request's data must go nowhere else.
 */
export function createHttpClient(settings: Settings): SendRequest {
  const { idleMs, timeoutMs, mayRepeat = false } = settings
  const keepsConnections = idleMs > 0
  const kept = keepsConnections ? keepingAgents(idleMs) : NO_AGENTS
  const attempt = (outbound: OutboundRequest, agents: Agents, maxMs: number) => {
    const request = begin(settings, outbound, agents)
    const limits = { ...settings, timeoutMs: maxMs, keepsConnections: agents !== NO_AGENTS }
    return { request, answer: exchange(request, outbound, limits) }
  }
  return async (outbound) => {
    const began = monotonicClock.elapsedMs()
    const { request, answer } = attempt(outbound, kept, timeoutMs)
    try {
      return await answer
    } catch (error) {
      if (!mayRepeat || !request.reusedSocket || !LOST.has(codeOf(error))) throw error
      const left = timeoutMs - (monotonicClock.elapsedMs() - began)
      return attempt(outbound, NO_AGENTS, Math.max(1, left)).answer
    }
  }
}

/** Begins a request; throws `NoAnswer` where it cannot be. */
function begin(
  { mayReach = () => true, lookup }: Settings,
  outbound: OutboundRequest,
  agents: Agents,
): ClientRequest {
  try {
    const { protocol, hostname } = new URL(outbound.url)
    const host = hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !mayReach(host)) throw new NoAnswer('NOT_PUBLIC', false)
    const isPlain = protocol === 'http:'
    return (isPlain ? sendHttp : sendHttps)(outbound.url, {
      method: outbound.method ?? 'POST',
      headers:
        outbound.method === 'GET' ? outbound.headers : { ...outbound.headers, ...bodyHeadersOf(outbound) },
      agent: isPlain ? agents.http : agents.https,
      ...(lookup !== undefined && { lookup }),
    })
  } catch (error) {
    throw new NoAnswer(codeOf(error), false)
  }
}

function bodyHeadersOf({ body }: OutboundRequest) {
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
}
