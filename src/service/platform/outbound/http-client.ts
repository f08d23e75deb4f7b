import type { Dispatcher } from 'undici'
import { monotonicClock } from '../clocks.ts'
import { createDial } from './dial.ts'
import type { Reach } from './dial.ts'
import { exchange } from './exchange.ts'
import type { Answer, Limits } from './exchange.ts'
import { createConnections } from './kept-connections.ts'
import type { Connection } from './kept-connections.ts'
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

interface Settings extends Limits, Reach {
  /** How long a connection is kept for the next request to the same server, in ms; 0 keeps none. */
  idleMs: number
  /** Whether a request may come twice: one that got no answer as its server closed a kept connection is sent once more by a new one. */
  mayRepeat?: boolean
}

/** Errors of a connection that was closed before its answer: the server may or may not have received the request. */
const LOST = new Set(['ECONNRESET', 'EPIPE', 'CLOSED'])

/**
 * The only way in which the service calls other parties' servers. It follows no redirects: an allowed server could redirect to a
 * forbidden one, and the request's data must go nowhere else.
 */
export function createHttpClient(settings: Settings): SendRequest {
  const { idleMs, timeoutMs, mayRepeat = false } = settings
  const connections = createConnections(createDial(settings), idleMs)
  const proxy = settings.proxy?.server ?? null
  const attempt = async (connection: Connection, outbound: OutboundRequest, maxMs: number) => {
    const request = { ...requestOf(outbound), reset: idleMs === 0 }
    const content = { request, signal: outbound.signal, proxy }
    const answer = await exchange(connection, content, { ...settings, timeoutMs: maxMs })
    connections.giveBack(connection)
    return answer
  }
  return async (outbound) => {
    if (outbound.signal?.aborted === true) throw new NoAnswer('STOPPED', false)
    const began = monotonicClock.elapsedMs()
    const server = serverIn(outbound.url)
    const connection = connections.take(server)
    try {
      return await attempt(connection, outbound, timeoutMs)
    } catch (error) {
      if (!mayRepeat || !connection.isReused() || !LOST.has(codeOf(error))) throw error
      const left = timeoutMs - (monotonicClock.elapsedMs() - began)
      return attempt(connections.create(server), outbound, Math.max(1, left))
    }
  }
}

function serverIn(url: string): URL {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) throw new NoAnswer('ERR_INVALID_URL', false)
  return new URL(url)
}

function requestOf({ method = 'POST', url, headers, body }: OutboundRequest): Dispatcher.DispatchOptions {
  const { pathname, search } = new URL(url)
  const path = pathname + search
  return method === 'GET'
    ? { method, path, headers }
    : { method, path, headers: { ...headers, 'content-type': 'application/json' }, body }
}
