import { createServer, request as sendRequest } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * What goes wrong with one request between a client and the service: it never gets there; it gets there, and its answer is lost, is cut
 * off or comes too late; or the proxy answers by itself, as one does whose service is starting.
 */
export type Mishap = 'lost request' | 'lost answer' | 'half an answer' | 'late answer' | 'bad gateway'

/** A proxy in front of a service, which lets the next requests meet with mishaps, and all others through. */
export interface FlakyProxy {
  url: string
  /** How many requests came, and how many of them the service has seen. */
  counts: { received: number; forwarded: number }
  next: (...mishaps: Mishap[]) => void
  close: () => Promise<void>
}

/** `lateMs`: how long a late answer is kept back. */
export async function createFlakyProxy(target: string, lateMs: number): Promise<FlakyProxy> {
  const mishaps: Mishap[] = []
  const counts = { received: 0, forwarded: 0 }
  const server = createServer((request, response) => {
    counts.received += 1
    const mishap = mishaps.shift()
    if (mishap === 'lost request') return void request.socket.destroy()
    if (mishap === 'bad gateway') return void response.writeHead(502).end('<h1>Bad gateway</h1>')
    counts.forwarded += 1
    forward(target, request, (answer, body) => answerBy(mishap, { request, response, answer, body, lateMs }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${String(portOf(server.address()))}`,
    counts,
    next: (...some) => mishaps.push(...some),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return address.port
}

function forward(
  target: string,
  request: IncomingMessage,
  done: (answer: IncomingMessage, body: Buffer) => void,
) {
  const { method, headers, url = '/' } = request
  const options = { method, headers: { ...headers, host: new URL(target).host } }
  const forwarded = sendRequest(new URL(url, target), options, (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('end', () => done(answer, Buffer.concat(chunks)))
  })
  request.pipe(forwarded)
}

interface Answering {
  request: IncomingMessage
  response: ServerResponse
  answer: IncomingMessage
  body: Buffer
  lateMs: number
}

function answerBy(mishap: Mishap | undefined, { request, response, answer, body, lateMs }: Answering): void {
  const send = () => response.writeHead(answer.statusCode ?? 500, answer.headers).end(body)
  if (mishap === 'lost answer') request.socket.destroy()
  else if (mishap === 'late answer') setTimeout(send, lateMs).unref()
  else if (mishap === 'half an answer') {
    response.writeHead(answer.statusCode ?? 500, answer.headers)
    response.write(body.subarray(0, body.length / 2), () => request.socket.destroy())
  } else send()
}
