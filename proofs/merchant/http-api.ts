import { Agent, request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { cardTraceIn } from '../../src/service/testing/traces.ts'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  headers?: Readonly<Record<string, string>>
  /** A buffer is sent as it is, with the type that the headers say; `URLSearchParams` as a form, anything else as JSON. */
  body?: object
}

/** The API of running services by HTTP, over kept-alive connections. */
export interface HttpApi {
  /** Rejects when the connection breaks before the whole answer has come, and when the answer contains a test card. */
  send: (call: Call) => Promise<Answer>
  close: () => void
}

/** Longer than the service ever takes to answer, even with a slow gateway and on a busy machine. */
const TIMEOUT_MS = 45_000

/** `portOf` says, for each call, which of the services is asked. */
export function createHttpApi(portOf: () => number): HttpApi {
  const agent = new Agent({ keepAlive: true })
  return {
    send: ({ method, path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const payload = body === undefined ? undefined : encoded(body)
        const all = { ...(payload !== undefined && { 'content-type': payload.type }), ...headers }
        const sent = request(
          { agent, host: '127.0.0.1', port: portOf(), method, path, headers: all, timeout: TIMEOUT_MS },
          (answer) => {
            const chunks: Buffer[] = []
            answer.on('data', (chunk: Buffer) => chunks.push(chunk))
            answer.on('error', reject)
            answer.on('end', () => {
              const text = Buffer.concat(chunks).toString()
              const trace = cardTraceIn(text)
              if (trace !== null) reject(new Error(`an answer holds ${trace}`))
              else if (answer.complete)
                resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
              else reject(new Error('the answer was cut off'))
            })
          },
        )
        sent.on('timeout', () => sent.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)))
        sent.on('error', reject)
        sent.end(payload?.text)
      }),
    close: () => agent.destroy(),
  }
}

function encoded(body: object): { type: string; text: string | Buffer } {
  if (Buffer.isBuffer(body)) return { type: 'application/octet-stream', text: body }
  if (body instanceof URLSearchParams)
    return { type: 'application/x-www-form-urlencoded', text: body.toString() }
  return { type: 'application/json', text: JSON.stringify(body) }
}
