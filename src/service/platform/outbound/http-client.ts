import type { Dispatcher } from 'undici'
import { monotonicClock } from '../clocks.ts'
import type { MonotonicClock } from '../clocks.ts'
import { createDial } from './dial.ts'
import type { Reach } from './dial.ts'
import { createConnections } from './kept-connections.ts'
import type { Connection } from './kept-connections.ts'
import { codeOf, NoAnswer, lostCodeOf, proxyCode, serverOf } from './no-answer.ts'

/** A request to a server that is not ours. */
export interface OutboundRequest {
  /** POST when left out. */
  method?: 'GET' | 'POST'
  url: string
  /** `content-type` only if the body is no JSON. */
  headers: Readonly<Record<string, string>>
  /** '' of a GET. */
  body: string | Buffer
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal
}

/** Sends a request. Always settles in time: resolves with the answer, or rejects with a `NoAnswer`. */
export type SendRequest = (request: OutboundRequest) => Promise<Answer>

export interface HttpClientSettings extends Limits, Reach {
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
export function createHttpClient(settings: HttpClientSettings): SendRequest {
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
    : { method, path, headers: { 'content-type': 'application/json', ...headers }, body }
}

export interface Answer {
  status: number
  /** By lower-case names; those that came several times are joined by commas. */
  headers: Readonly<Record<string, string | undefined>>
  /** Empty where only the status is wanted. */
  body: string
}

/** The limits of one request and its answer. */
export interface Limits {
  /** From the look-up of the name to the last byte of the answer, in ms. */
  timeoutMs: number
  /** Of the answer's body. */
  maxBytes: number
  /** `status`: it counts as soon as it arrives, whatever happens to the body, which gets another second to end. */
  wants: 'status' | 'whole answer'
}

interface Content {
  request: Dispatcher.DispatchOptions
  signal: AbortSignal | undefined
  /** The proxy on the way, by host and port; null where none stands between. */
  proxy: string | null
}

/** The most 1xx answers that are accepted before the final one (RFC 9110, 15.2). */
const MAX_INTERIM = 16
/** How long to wait for the end of a body that is not read, so that the connection can be kept. */
const REST_MS = 1000

/**
 * Sends a request over a connection and waits for its answer. It always settles: a timer of its own sees to that, whatever the
 * connection says or leaves unsaid. The connection is destroyed unless the exchange ended well.
 */
export function exchange(
  connection: Connection,
  { request, signal, proxy }: Content,
  { timeoutMs, maxBytes, wants }: Limits,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let isSent = false
    let isOver = false
    let known: Omit<Answer, 'body'> | undefined
    const settle = (act: () => void): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      act()
    }
    const fail = (code: string): void =>
      settle(() => {
        connection.destroy()
        if (known !== undefined && wants === 'status') resolve({ ...known, body: '' })
        else {
          const step = isSent ? 'answer' : connection.step()
          const exact = step === 'proxy' ? proxyCode(code) : code
          reject(new NoAnswer(exact, isSent, { server: new URL(connection.origin).host, step, proxy }))
        }
      })
    const stop = (): void => fail('STOPPED')
    let timer = setTimeout(() => fail('TIMED_OUT'), timeoutMs)
    signal?.addEventListener('abort', stop, { once: true })
    connection.client.dispatch(
      request,
      watchForAnswer({
        maxBytes,
        fail,
        onStart: () => (isSent = true),
        onHead(head) {
          known = head
          if (wants === 'whole answer') return
          clearTimeout(timer)
          timer = setTimeout(() => fail('TIMED_OUT'), Math.min(REST_MS, timeoutMs))
        },
        onEnd: (head, body) => settle(() => resolve({ ...head, body: wants === 'status' ? '' : body() })),
      }),
    )
  })
}

interface Hears {
  maxBytes: number
  /** May be called several times. */
  fail: (code: string) => void
  /** From here on the server may have got something. */
  onStart: () => void
  onHead: (head: Omit<Answer, 'body'>) => void
  onEnd: (head: Omit<Answer, 'body'>, body: () => string) => void
}

/** Receives the answer, or the failure in its place. */
function watchForAnswer({ maxBytes, fail, onStart, onHead, onEnd }: Hears): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = []
  let head: Omit<Answer, 'body'> | undefined
  let starts = 0
  let interim = 0
  let read = 0
  return {
    onRequestStart(controller) {
      starts += 1
      // Whatever the connection may think: what was sent once is not sent again.
      if (starts > 1) controller.abort(new NoAnswer('CLOSED', true))
      else onStart()
    },
    onResponseStart(_controller, status, headers) {
      if (status === 101) fail('UPGRADED')
      else if (status >= 200) {
        head = { status, headers: joined(headers) }
        onHead(head)
      } else {
        interim += 1
        if (interim > MAX_INTERIM) fail('TOO_MANY_INTERIM_ANSWERS')
      }
    },
    onResponseData(_controller, chunk) {
      read += chunk.length
      if (read > maxBytes) fail('TOO_LARGE')
      else chunks.push(chunk)
    },
    onResponseEnd() {
      if (head !== undefined) onEnd(head, () => Buffer.concat(chunks).toString())
    },
    onResponseError: (_controller, error) => fail(lostCodeOf(error, head !== undefined)),
  }
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Answer['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}

/** After this long the same server is logged again. */
const AGAIN_AFTER_MS = 60_000
/** How many servers are remembered; one more is not logged until an older one's minute is over. */
const MAX_SERVERS = 1000

/** Which server gives no answer, by what code, and at which step. */
interface Told {
  server: string
  code: string
  step: string | undefined
  /** How many such requests were not logged since the last line. */
  untold: number
  /** The proxy that let nothing through, and why in words. */
  proxy?: string
  fault?: string
}

interface Parts {
  tell: (facts: Told, words: string) => void
  /** Such as `a gateway`. */
  whose: string
  clock: MonotonicClock
}

/** The same, and the log hears of each server that gives no answer: once a minute, with how often that was. */
export function toldSend({ tell, whose, clock }: Parts, send: SendRequest): SendRequest {
  const told = new Map<string, { at: number; untold: number }>()
  const tellOf = (server: string, error: unknown) => {
    const now = clock.elapsedMs()
    const culprit = culpritOf(server, error)
    const last = told.get(culprit)
    if (last !== undefined && now - last.at < AGAIN_AFTER_MS) {
      last.untold += 1
      return
    }
    if (last === undefined && told.size >= MAX_SERVERS)
      for (const [other, { at }] of told) if (now - at >= AGAIN_AFTER_MS) told.delete(other)
    if (told.size >= MAX_SERVERS && last === undefined) return
    tell(
      ...wordsOf(error, { server, code: codeOf(error), step: undefined, untold: last?.untold ?? 0 }, whose),
    )
    told.set(culprit, { at: now, untold: 0 })
  }
  return async (outbound) => {
    try {
      return await send(outbound)
    } catch (error) {
      // Who has stopped waiting has not found the server at fault.
      if (codeOf(error) !== 'STOPPED') tellOf(serverOf(outbound.url), error)
      throw error
    }
  }
}

/** A proxy that lets nothing through does so for every server. */
function culpritOf(server: string, error: unknown): string {
  const isProxys = error instanceof NoAnswer && error.proxy !== null
  return isProxys ? `${error.proxy} ${error.code}` : server
}

function wordsOf(error: unknown, facts: Told, whose: string): [Told, string] {
  const words = `the server of ${whose} gives no answer`
  if (!(error instanceof NoAnswer)) return [facts, words]
  const { proxy, step, message } = error
  if (proxy === null) return [{ ...facts, step }, words]
  return [{ ...facts, step, proxy, fault: message }, `the proxy opens no way to the server of ${whose}`]
}
