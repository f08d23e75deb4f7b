import { randomUUID } from 'node:crypto'
import { createServer, STATUS_CODES } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyInstance } from 'fastify'
import type { Envelope } from '../../../contract/api/envelope.ts'
import { senderAt } from './callers/sender.ts'
import type { CallerKey, Sender } from './callers/sender.ts'

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

/** How much of the process one client may hold. Times in ms. */
interface ConnectionLimits {
  /** How often clients are checked for these times. */
  checkEveryMs: number
  /** A client that reads nothing of what was written to it for this long is disconnected. */
  unreadMs: number
  /** So is one for which something waits all this time, and that takes less than `slowBytes` in it. */
  slowMs: number
  slowBytes: number
  /** Requests of one connection that wait for their answers: a client that sends more is disconnected. */
  maxUnanswered: number
  /** When so many are open, those who hold most give one up that is idle for each newcomer with fewer. */
  maxConnections: number
  /** Of one caller, and of all callers of one IPv6 /48; no limit for a trusted proxy. */
  maxPerCaller: number
  maxPerSite: number
}

interface Connection {
  sender: Sender
  isProxy: boolean
  unanswered: number
  /** Bytes that the operating system took, and since when it took no more while some wait; null: none wait. */
  taken: number
  stuckSince: number | null
  /** Since when something has waited without an end, or the last `slowMs` were over, and what was taken until then. */
  waitsSince: number
  takenBefore: number
}

/** Keeps each client to its share; the result tells whether a request is within it, and counts it. */
function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  isTrusted: (address: string) => boolean,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const connections = new Map<Socket, Connection>()
  const held = countHeld()
  server.on('connection', (socket) => {
    const sender = senderAt(socket.remoteAddress)
    const isProxy = isTrusted(sender.address)
    const isWithinShare =
      isProxy || (held.of(sender.caller) < limits.maxPerCaller && held.of(sender.site) < limits.maxPerSite)
    const hasRoom = () => connections.size < limits.maxConnections || giveOneUp(connections, held.of, sender)
    if (!isWithinShare || !hasRoom()) {
      socket.destroy()
      return
    }
    held.add(sender, 1)
    const now = performance.now()
    connections.set(socket, {
      sender,
      isProxy,
      unanswered: 0,
      taken: 0,
      stuckSince: null,
      waitsSince: now,
      takenBefore: 0,
    })
    socket.once('close', () => {
      connections.delete(socket)
      held.add(sender, -1)
    })
  })
  leaveStuckClients(server, connections, limits)
  return ({ socket }, response) => {
    const connection = connections.get(socket)
    if (connection === undefined || socket.destroyed) return false
    connection.unanswered += 1
    response.once('close', () => (connection.unanswered -= 1))
    if (connection.unanswered <= limits.maxUnanswered) return true
    socket.destroy()
    return false
  }
}

/** How many connections each caller and each site holds. */
function countHeld() {
  const counts = new Map<CallerKey, number>()
  const of = (who: CallerKey): number => counts.get(who) ?? 0
  return {
    of,
    add({ caller, site }: Sender, change: 1 | -1): void {
      for (const who of new Set([caller, site])) {
        const count = of(who) + change
        if (count === 0) counts.delete(who)
        else counts.set(who, count)
      }
    },
  }
}

/**
 * Ends an idle connection of the site that holds most, if that is more than the newcomer would hold; false if it found none. Many
 * networks together could otherwise hold every connection, and nobody else would get one.
 */
function giveOneUp(
  connections: Map<Socket, Connection>,
  heldBy: (who: CallerKey) => number,
  newcomer: Sender,
): boolean {
  let most = heldBy(newcomer.site) + 1
  let found: Socket | undefined
  for (const [socket, { sender, isProxy, unanswered }] of connections) {
    const count = heldBy(sender.site)
    if (isProxy || unanswered > 0 || socket.destroyed || count <= most) continue
    most = count
    found = socket
  }
  found?.destroy()
  return found !== undefined
}

function leaveStuckClients(
  server: Server,
  connections: ReadonlyMap<Socket, Connection>,
  limits: ConnectionLimits,
): void {
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [socket, connection] of connections)
      if (isLost(socket, connection, now, limits)) socket.destroy()
  }, limits.checkEveryMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

/** Whether something waits to be taken, or we have ended and the client has not, and it takes nothing, or next to nothing. */
function isLost(
  socket: Socket,
  connection: Connection,
  now: number,
  { unreadMs, slowMs, slowBytes }: ConnectionLimits,
): boolean {
  const taken = socket.bytesWritten - socket.writableLength
  const waits = socket.writableLength > 0 || socket.writableEnded
  if (!waits) connection.stuckSince = null
  else if (connection.stuckSince === null || taken !== connection.taken) connection.stuckSince = now
  connection.taken = taken
  const isUnread = waits && now - (connection.stuckSince ?? now) >= unreadMs
  const isOver = now - connection.waitsSince >= slowMs
  const isSlow = waits && isOver && taken - connection.takenBefore < slowBytes
  if (!waits || isOver) {
    connection.waitsSince = now
    connection.takenBefore = taken
  }
  return isUnread || isSlow
}

interface Wire {
  writable: boolean
  end: (text: string) => unknown
  destroy: () => unknown
}

/** An answer to what never becomes a request of the framework: in the envelope too, and the last on its connection. */
function brokenAnswer(status: number, message: string) {
  const error = { code: 'validation_error', message }
  const envelope: Envelope = { status, error, resource: { type: 'error', data: null } }
  const body = JSON.stringify(envelope)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': randomUUID(),
    connection: 'close',
  }
  return { body, headers }
}

interface Asked {
  request: IncomingMessage
  response: ServerResponse
  /** The answer to the request before it, where that was not given yet. */
  before: ServerResponse | undefined
}

/** The latest request of each connection. */
const latest = new WeakMap<object, Asked>()

/** Remembers what each connection asked last, for `answerBrokenRequest`. */
function watchRequests(server: Server): void {
  server.on('request', (request, response) => {
    const before = latest.get(request.socket)?.response
    latest.set(request.socket, { request, response, before: before?.writableFinished ? undefined : before })
  })
}

/** Connections on which something could not be read. */
const isBroken = new WeakSet<object>()

/**
 * Answers what is no HTTP request at all, unless it has its answer already, and ends its connection. Earlier requests on the connection are
 * answered first: otherwise this refusal would count as their answer.
 */
export function answerBrokenRequest({ code }: Pick<ConnectionError, 'code'>, socket: Wire): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // What comes after it is not read either: one answer says so.
  if (isBroken.has(socket)) return
  isBroken.add(socket)
  const { answer, isAnswered } = lastAnswer(socket)
  const end = () => (isAnswered ? socket.end('') : refuse(socket, code))
  if (answer === undefined || answer.writableFinished) end()
  else answer.once('close', end)
}

/**
 * The last answer that is given before the connection ends; `isAnswered`: it is that to the broken request. A refusal may leave before all
 * of its request has come, and what followed it would count as the answer to the next one.
 */
function lastAnswer(socket: Wire): { answer: ServerResponse | undefined; isAnswered: boolean } {
  const last = latest.get(socket)
  if (last === undefined) return { answer: undefined, isAnswered: false }
  const { request, response, before } = last
  if (request.complete) return { answer: response, isAnswered: false }
  return response.headersSent ? { answer: response, isAnswered: true } : { answer: before, isAnswered: false }
}

function refuse(socket: Wire, code: string): void {
  if (!socket.writable) return
  const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  const { body, headers } = brokenAnswer(
    status,
    status === 408 ? 'The request took too long to arrive.' : 'The request could not be read.',
  )
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'))
}

/** Answers a request that is well-formed, but that HTTP forbids, and ends its connection. */
function refuseRequest(response: ServerResponse, status: 400 | 417, message: string): void {
  const { body, headers } = brokenAnswer(status, message)
  response.writeHead(status, headers).end(body)
}

/**
 * Once the server is closing, each answer is the last on its connection, and says so: a client that keeps connections
 * alive sends its next request elsewhere rather than into one that is about to end.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) void reply.header('connection', 'close')
    done(null, payload)
  })
}
