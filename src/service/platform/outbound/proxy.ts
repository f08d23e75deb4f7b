import { isIPv6 } from 'node:net'
import type { Socket } from 'node:net'
import Client from 'undici/lib/dispatcher/client.js'
import { lostCodeOf, NoAnswer, proxyCode } from './no-answer.ts'

/** The server of a URL. */
export interface Target {
  /** A name, or an IP address without brackets. */
  host: string
  port: number
  isEncrypted: boolean
}

export function targetOf({ protocol, hostname, port }: URL): Target {
  const isEncrypted = protocol === 'https:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isEncrypted ? 443 : 80) : Number(port),
    isEncrypted,
  }
}

/** An HTTP proxy through which requests leave. */
export interface Proxy {
  target: Target
  /** Host and port, for messages. */
  server: string
  /** The value of Proxy-Authorization; null where the proxy asks for none. */
  authorization: string | null
}

/** The proxies by what requests are for; null: requests go straight to their servers. */
export interface Proxies {
  webhooks: Proxy | null
  gateways: Proxy | null
  keyService: Proxy | null
  /** The external issuer of access tokens. */
  issuer: Proxy | null
}

/** A proxy by its URL, such as `http://user:password@proxy.example.com:3128`; user and password are percent-encoded. */
export function proxyOf(url: string): Proxy {
  const parsed = new URL(url)
  const rights = `${decodeURIComponent(parsed.username)}:${decodeURIComponent(parsed.password)}`
  return {
    target: targetOf(parsed),
    server: parsed.host,
    authorization: rights === ':' ? null : `Basic ${Buffer.from(rights).toString('base64')}`,
  }
}

/** Asks a proxy by CONNECT for a way to an address; what is written to the socket then goes there. Rejects with a `NoAnswer`. */
export async function askForWay(
  proxy: Proxy,
  { host, port }: Pick<Target, 'host' | 'port'>,
  connectToProxy: () => Promise<Socket>,
): Promise<Socket> {
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`
  const headers = {
    host: authority,
    ...(proxy.authorization !== null && { 'proxy-authorization': proxy.authorization }),
  }
  try {
    const socket = await connectToProxy()
    const status = await statusOf(socket, { method: 'CONNECT', path: authority, headers })
    // Whoever speaks before it was asked would have its words taken for the server's.
    if (status >= 200 && status < 300 && socket.readableLength === 0) return socket
    socket.destroy()
    throw new NoAnswer(codeOfRefusal(status), false)
  } catch (error) {
    throw new NoAnswer(proxyCode(lostCodeOf(error, false)), false)
  }
}

function codeOfRefusal(status: number): string {
  if (status < 100) return 'NOT_HTTP'
  return status >= 200 && status < 300 ? 'UNASKED_ANSWER' : String(status)
}

interface Question {
  method: 'CONNECT'
  path: string
  headers: Record<string, string>
}

function statusOf(socket: Socket, question: Question): Promise<number> {
  return new Promise((resolve, reject) => {
    let isUsed = false
    const client = new Client('http://proxy', {
      allowH2: false,
      headersTimeout: 0,
      connect(_options, callback) {
        // Without this a connection that has ended would be asked for again and again.
        const isFirst = !isUsed
        isUsed = true
        queueMicrotask(() =>
          isFirst ? callback(null, socket) : callback(new NoAnswer('CLOSED', false), null),
        )
      },
    })
    client.dispatch(question, {
      onRequestStart: () => undefined,
      onRequestUpgrade: (_controller, status) => resolve(status),
      onResponseError(_controller, error) {
        socket.destroy()
        reject(error)
      },
    })
  })
}
