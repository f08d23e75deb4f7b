import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { ConnectionError } from 'fastify'
import type { Envelope } from '../../contract/envelope.ts'

interface Wire {
  writable: boolean
  end: (text: string) => unknown
  destroy: () => unknown
}

/** Answers what is no HTTP request at all, in the envelope too, and ends its connection. */
export function answerBrokenRequest({ code }: ConnectionError, socket: Wire): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  const error = { code: 'validation_error', message: 'The request could not be read.' }
  const envelope: Envelope = { status, error, resource: { type: 'error', data: null } }
  const body = JSON.stringify(envelope)
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${randomUUID()}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
