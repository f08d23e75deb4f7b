import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { ConnectionError } from 'fastify'
import type { Envelope } from '../../../../contract/api/envelope.ts'

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
export function watchRequests(server: Server): void {
  server.on('request', (request, response) => {
    const before = latest.get(request.socket)?.response
    latest.set(request.socket, { request, response, before: before?.writableFinished ? undefined : before })
  })
}

/** Connections on which something could not be read. */
const isBroken = new WeakSet<object>()

/**
 * Answers what is no HTTP request at all, unless it has its answer already, and ends its connection. Requests before it that are still
 * carried out have their own answers first: they would be told that they could not be read.
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
export function refuseRequest(response: ServerResponse, status: 400 | 417, message: string): void {
  const { body, headers } = brokenAnswer(status, message)
  response.writeHead(status, headers).end(body)
}
